// The live room: joins line, outbox and the parts of the page. Parts don't know each other; what they share is given here.

import { Cursors, readHeads } from "./core/cursor.js";
import "./elements/command-palette.js";
import "./elements/key-legend.js";
import { alertNow, announce } from "./platform/announce.js";
import { dateOffset, everySecond, hearTime, mayHaveSlept, startFrom } from "./platform/clock.js";
import { keepPage } from "./platform/keeping.js";
import { Line, address } from "./platform/socket.js";
import { Store } from "./platform/store.js";
import { swap } from "./platform/swap.js";
import { Tabs } from "./platform/tabs.js";
import * as askings from "./room/asked.js";
import { Bounds } from "./room/bounds.js";
import { Chat } from "./room/chat.js";
import { Checklist } from "./room/checklist.js";
import { compare } from "./room/closing.js";
import { Commands } from "./room/commands.js";
import { Conflicts } from "./room/conflict.js";
import { Hands } from "./room/hands.js";
import { Hint } from "./room/hint.js";
import { LineState } from "./room/line.js";
import { Look } from "./room/look.js";
import { Marks } from "./room/marks.js";
import { Mine } from "./room/mine.js";
import { Next } from "./room/next.js";
import { Notes } from "./room/notes.js";
import { Outbox } from "./room/outbox.js";
import { Own } from "./room/own.js";
import { Presence } from "./room/presence.js";
import { Reopening } from "./room/reopening.js";
import { Repeat } from "./room/repeat.js";
import { Statements } from "./room/statements.js";
import { Times } from "./room/times.js";
import { Tray } from "./room/tray.js";
import { describer, words } from "./room/words.js";

const room = document.getElementById("room");
const { person, room: code, seat } = room.dataset;
const judges = room.dataset.judges === "true";
const language = document.documentElement.lang;
const clockWords = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: document.documentElement.dataset.zone });
const when = (date) => clockWords.format(date);

const cursors = new Cursors(readHeads(room));

// After sleep the server says its time within a second of its welcome; ages wait for that, and no longer than this.
const HOLD_MS = 3000;

let waits = false;
function changed() {
  // Once per turn: a burst of frames after a cut is drawn as one.
  if (waits) return;
  waits = true;
  queueMicrotask(() => {
    waits = false;
    own.overlay(outbox.rows);
    askings.overlayAsks(outbox.rows);
    for (const part of parts) part.draw();
  });
}

let device = null;
let remembered = []; // the seats that were here when an earlier page heard last
const store = await Store.open({ person, room: code, seat }).catch(() => null);
const tabs = store && new Tabs(`${person}/${code}/${seat}`, { hear: (told) => outbox.hear(told), lead: () => queueMicrotask(() => outbox.lead()) });
const outbox = new Outbox({
  store, tabs, changed,
  epoch: () => cursors.epoch,
  send: (frame) => line.send(frame),
  acked: (row, frame) => {
    mine.acked(row, frame);
    if (row.name === "note.set") notes.acked(row);
    chat.onAck(row);
    hands.onAck(row, frame);
    hint.hear(row);
  },
  refused: onRefused,
  unstored: () => state.warn("store"),
  unfit: () => alertNow(words("too_long")),
});
const mine = new Mine(outbox, askings.countOf);
const put = (commands) => outbox.put(commands.map((one) => ({ id: one.id ?? crypto.randomUUID(), ...one })));
const look = new Look({ askings, changed });
const commands = new Commands({ put, look, askings, say: announce, words });
const act = (list, undo) => commands.act(list, undo);
const shared = { mine, look, outbox, act, put, askings, words, say: announce, alert: alertNow, when };
const marks = new Marks(shared);
const describe = describer({ askings, word: (field, value) => marks.word(field, value) });
const notes = new Notes(shared);
const state = new LineState(shared);
const own = new Own(shared);
const away = () => (line.live ? 0 : line.heardAt ? performance.now() - line.heardAt : Infinity);
const next = new Next({ room, askings, changed, away, others: () => presence.others(remembered), say: announce });
const hint = new Hint({ room, askings, look, label: () => next.label(), say: announce, changed });
const presence = new Presence({ room, say: announce });
const hands = new Hands({ room, outbox, act, ask: (probe) => commands.ask(probe), leads: () => next.leads, seen: () => cursors.seen.panel, say: announce, words });
const chat = new Chat({ ...shared, room });
const listeners = [hands, chat, new Reopening({ act })];
const bounds = new Bounds(shared);
const checklist = new Checklist({ ...shared, room, bounds });
const repeat = (commands.repeat = new Repeat({ ...shared, ask: (probe) => commands.ask(probe) }));
const times = new Times({ room, askings, say: announce });
const parts = [
  next, hint, look, marks, bounds, checklist, repeat, notes, new Statements(shared),
  new Conflicts({ ...shared, describe, replaceNote: (asked, text) => notes.replace(asked, text), device: () => device }),
  new Tray({ ...shared, describe }), state, presence, hands, chat, times,
];

function onRefused(row, frame, verdict) {
  if (verdict !== "wait") {
    askings.dropAsk(row.id);
    own.drop(row);
  }
  if (verdict === "stale") alertNow(words("stale"));
  else if (verdict === "tray") alertNow(`${words("refused")}: ${frame.message}`);
  else if (verdict === "drop") alertNow(frame.message);
  changed();
}

function onEvent(frame) {
  const verdict = cursors.take(frame);
  if (verdict === "gap") return line.restart();
  if (verdict === "drop") return;
  const { stream, seq } = frame;
  store?.note({ epoch: cursors.epoch, stream, seq, frame }).catch(() => {});
  applyEvent(frame);
  if (stream === "panel") for (const part of listeners) part.hear(frame);
  if (frame.name === "interview.reopen") {
    closing = null; // what was to be compared is going on
    state.calm("nothing-lost", "differs");
  }
  if ((frame.name === "probe.ask" || frame.name === "probe.adhoc") && frame.by !== seat) sayAsked(frame.data.asked);
  if (closing) onClosing(closing);
}

function applyEvent(frame) {
  if (frame.html) swap(frame.html);
  if (frame.stream === "mine") mine.apply(frame);
  else next.hear(frame.name);
  hint.hear(frame);
  if (frame.name === "probe.adhoc" || frame.name === "tree.edit") own.hear(frame);
  changed();
}

function sayAsked(id) {
  const asking = askings.find(id);
  if (asking) announce(`${words("asked")} ${askings.titleOf(asking).text}`);
}

// A page from the cache opens as it was left: what the server said since it was drawn is taken from the journal.
async function replay() {
  for (const { stream, frame, row } of await store.journal({ epoch: cursors.epoch, heads: cursors.seen })) {
    if (stream === "ack") mine.acked(row, frame);
    else if (cursors.take(frame) === "apply") applyEvent(frame);
  }
  startFrom(await store.recall("offset"));
  remembered = (await store.recall(`here/${store.place}`)) ?? [];
}

// For a page that only sends what waits (leaving.js): it needs nothing that was heard here.
function keepHeads() {
  store?.remember(`heads/${store.place}`, { epoch: cursors.epoch, heads: cursors.seen }).catch(() => {});
}

function onSnapshot(frame) {
  cursors.reset(frame);
  store?.forgetJournal().catch(() => {});
  keepPage(room.dataset.worker, true);
  if (frame.html) swap(frame.html);
  if (frame.state?.mine) mine.load(frame.state.mine);
  next.hear("lead.");
  changed();
}

// The comparison waits for what another device wrote last and this page has not heard yet.
let closing = null;
function onClosing(frame, late = false) {
  closing = frame.mine > cursors.seen.mine && !late ? frame : null;
  if (closing) return;
  const differs = compare(frame, mine.counts(), cursors.seen.mine);
  if (!differs.length) return state.warn("nothing-lost");
  state.warn("differs", { differs: differs.map(({ kind, here, there }) => `${words(kind)} ${here} / ${there}`).join(", ") });
}

const handlers = {
  welcome: (frame) => outbox.lineUp(frame.limits ?? {}, mayHaveSlept() ? HOLD_MS : 0),
  event: onEvent,
  snapshot: onSnapshot,
  ack: (frame) => outbox.onAck(frame),
  refused: (frame) => outbox.onRefused(frame),
  presence: (frame) => {
    hearTime(Date.parse(frame.at));
    outbox.release();
    presence.hear(frame);
    store?.remember("offset", dateOffset()).catch(() => {});
    store?.remember(`here/${store.place}`, [...presence.here]).catch(() => {});
  },
  closing: onClosing,
  ping: (frame) => {
    if (closing) onClosing(closing, true);
    keepHeads();
    if (cursors.behind(frame.heads).length) lag(frame.heads);
  },
};

// The heads ran ahead and no event followed until the next ping: something was lost on the way.
let lagging = null;
function lag(heads) {
  if (lagging && cursors.behind(lagging).length) {
    lagging = null;
    queueMicrotask(() => line.restart());
  } else lagging = heads;
}

const line = new Line({
  address: () => address(room.dataset.socket, `${cursors.query()}&seat=${seat}`),
  frame: (frame) => handlers[frame.type]?.(frame),
  pong: () => ({ heads: cursors.seen, outbox: outbox.rows.length, device }),
  state: (name, code) => {
    if (name !== "live") outbox.lineDown();
    if (name === "closed") tabs?.giveUp();
    if (name !== "connecting") checklist.lineIs(name === "live");
    state.set(name, code);
    if (name === "live") hint.ask();
    changed();
  },
});

commands.add([...parts, own]);
mine.load(JSON.parse(document.getElementById("mine")?.textContent ?? "{}"));
device = (await store?.device()) ?? crypto.randomUUID();
if (judges && !store) state.warn("store");
if (store) await replay().catch(() => {});
keepHeads();
await outbox.reload();
// What is pressed builds on what was read: until then base.js says "not now".
commands.listen(document);
room.removeAttribute("data-starting");
// From a scorecard: to the question whose mark is to be corrected.
const wanted = askings.find(location.hash.replace("#asked-", ""));
if (wanted) look.go(wanted.id);
else changed();
everySecond(() => {
  presence.draw(); // a lead who went away is gone by the clock, not by a frame
  times.draw();
  next.guard();
}, () => line.restart());
if (room.dataset.trace) (await import("./room/trace.js")).trace(outbox, { room: code });
line.open();
keepPage(room.dataset.worker);

addEventListener("beforeunload", (event) => {
  if (!notes.keepAll() || outbox.waiting || chat.draft) event.preventDefault();
});
