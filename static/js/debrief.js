// The debrief: joins the line, the outbox and three forms. What was typed stays until the server has it.

import { Cursors, readHeads } from "./core/cursor.js";
import "./elements/local-time.js";
import { alertNow, announce } from "./platform/announce.js";
import { everySecond, hearTime, serverNow, spell } from "./platform/clock.js";
import { Line, address } from "./platform/socket.js";
import { clone, swap } from "./platform/swap.js";
import { Outbox } from "./room/outbox.js";

const room = document.getElementById("debrief");
const seat = room.dataset.seat;
const minutes = Number(room.dataset.minutes);
const cursors = new Cursors(readHeads(room));
const forms = { "vote.set": "vote-form", "note.post": "note-form", "decision.record": "decision-form" };
const words = (name) => document.querySelector(`#debrief-words [data-say=${name}]`)?.textContent ?? "";
const form = (name) => document.getElementById(forms[name]);
const version = (id) => Number(document.getElementById(id)?.dataset.version ?? 0);

// Kept in memory only: everything here is sent while people sit together, and a page that is left warns first.
const outbox = new Outbox({
  store: null, tabs: null,
  epoch: () => cursors.epoch,
  send: (frame) => line.send(frame),
  changed: draw,
  acked: onAck,
  refused: onRefused,
  unstored: () => {},
  unfit: () => alertNow(words("long")),
});

const put = (name, data) => outbox.put([{ id: crypto.randomUUID(), name, data }]);

// One of a kind at a time: a double click votes, notes and decides once.
const isOnItsWay = (name) => outbox.rows.some((row) => row.name === name);

function send(name, data) {
  if (!isOnItsWay(name)) put(name, data);
}

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("[data-command]")?.dataset.command;
  if (name === "debrief.start") send(name, {});
  if (name === "phase.next") send(name, { leaves: room.dataset.phase });
});

const chosen = (of, field) => of.querySelector(`[name=${field}]:checked`)?.value;

form("vote.set")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const recommendation = chosen(event.target, "recommendation");
  if (!recommendation) return alertNow(words("choose"));
  send("vote.set", { recommendation, reason: event.target.elements.reason.value, version: version("debrief-my-vote") });
});

form("note.post")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.elements.text.value;
  if (text.trim()) send("note.post", { text });
});

form("decision.record")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const decision = chosen(event.target, "decision");
  const rationale = event.target.elements.rationale.value;
  if (!decision) return alertNow(words("choose"));
  if (rationale.trim()) send("decision.record", { decision, rationale, version: version("debrief-decisions") });
});

function onAck(row) {
  if (row.name === "vote.set") {
    const mine = document.getElementById("debrief-my-vote");
    mine.dataset.version = String(Math.max(version("debrief-my-vote"), row.data.version + 1));
    form(row.name).elements.reason.defaultValue = row.data.reason; // what it is from now on, if nobody types on
    announce(words("voted"));
  }
  // Typed on meanwhile: that is another note, and stays.
  const field = { "note.post": "text", "decision.record": "rationale" }[row.name];
  const box = field && form(row.name).elements[field];
  if (box && box.value === row.data[field]) box.value = "";
  if (row.name === "note.post") announce(words("noted"));
  if (row.name === "decision.record") for (const one of form(row.name).querySelectorAll("[name=decision]")) one.checked = false;
  draw();
}

function onRefused(row, frame, verdict) {
  if (verdict === "wait") return;
  if (frame.current && row.name === "vote.set") document.getElementById("debrief-my-vote").dataset.version = frame.current.version;
  const said = row.data.text ?? row.data.rationale ?? row.data.reason;
  alertNow(frame.message);
  const box = clone("refused-one", { fill: { message: frame.message, words: said ?? "" } });
  for (const line of box.querySelectorAll("p:not([data-fill=message])")) line.hidden = !said;
  document.getElementById("debrief-refused").replaceChildren(box);
}

function onEvent(frame) {
  const verdict = cursors.take(frame);
  if (verdict === "gap") return line.restart();
  if (verdict === "drop") return;
  if (frame.html) swap(frame.html);
  if (frame.data.phase) enter(frame.data.phase, frame.by);
  if (frame.name === "vote.set") hearVote(frame.data);
  if (frame.name === "note.post" && frame.by !== seat) announce(words("note"));
  drawClock();
  drawHere();
}

// Another device of mine voted; what I am typing here is not taken away.
function hearVote({ recommendation, reason }) {
  const own = form("vote.set");
  if (!own || own.contains(document.activeElement)) return;
  const one = own.querySelector(`[name=recommendation][value=${recommendation}]`);
  if (one) one.checked = true;
  if (reason !== undefined) own.elements.reason.value = own.elements.reason.defaultValue = reason;
}

function enter(phase, by) {
  if (phase === room.dataset.phase) {
    if (phase === "decided") announce(words(phase));
    return;
  }
  const focused = document.activeElement;
  room.dataset.phase = phase;
  draw();
  announce(words(phase));
  timeSaid = false;
  // Whose button or field just went away goes on from where the debrief stands.
  if (by === seat || (focused && focused.closest("[data-in][hidden]"))) document.getElementById("phase-head")?.focus();
}

function draw() {
  for (const part of document.querySelectorAll("[data-in]")) part.hidden = !part.dataset.in.split(" ").includes(room.dataset.phase);
  for (const [name, id] of Object.entries(forms)) {
    const button = document.querySelector(`#${id} [type=submit]`);
    if (button) button.setAttribute("aria-disabled", String(isOnItsWay(name)));
  }
}

let timeSaid = false;
function drawClock() {
  const clock = room.querySelector("[data-since]");
  if (!clock) return;
  const spent = serverNow() - Date.parse(clock.dataset.since);
  clock.textContent = spell(spent);
  if (room.dataset.phase === "reading" && spent >= minutes * 60_000 && !timeSaid) {
    timeSaid = true;
    announce(words("time"));
  }
}

let here = new Set();
function drawHere() {
  for (const one of document.querySelectorAll("#debrief-people [data-seat]")) one.toggleAttribute("data-local-here", here.has(one.dataset.seat));
}

const handlers = {
  welcome: (frame) => outbox.lineUp(frame.limits ?? {}),
  event: onEvent,
  snapshot: (frame) => {
    cursors.reset(frame);
    if (frame.html) swap(frame.html);
    if (frame.state.phase) enter(frame.state.phase, null);
    drawClock();
  },
  ack: (frame) => outbox.onAck(frame),
  refused: (frame) => outbox.onRefused(frame),
  presence: (frame) => {
    hearTime(Date.parse(frame.at));
    here = new Set(frame.seats.filter((one) => one.here).map((one) => one.seat));
    drawHere();
  },
  ping: (frame) => {
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

const LONG_MS = 10_000;
let away = null;
function lineIs(name) {
  const box = document.getElementById("debrief-line");
  box.dataset.state = name;
  for (const one of box.querySelectorAll("[data-line]")) one.hidden = !one.dataset.line.split(" ").includes(name);
  if (name === "live") {
    if (away === "said") announce(words("online"));
    if (away !== "said") clearTimeout(away);
    away = null;
  } else if (name === "closed") alertNow(box.querySelector("[data-line=closed]").textContent);
  else away ??= setTimeout(() => {
    away = "said";
    announce(words("offline"));
  }, LONG_MS);
}

const line = new Line({
  address: () => address(room.dataset.socket, `${cursors.query()}&seat=${seat}`),
  frame: (frame) => handlers[frame.type]?.(frame),
  pong: () => ({ heads: cursors.seen, outbox: outbox.rows.length, device: "" }),
  state: (name) => {
    if (name !== "live") outbox.lineDown();
    lineIs(name);
  },
});

draw();
everySecond(drawClock, () => line.restart());
line.open();

const isDirty = (box) => box.value !== box.defaultValue;
addEventListener("beforeunload", (event) => {
  if (outbox.rows.length || [...room.querySelectorAll("textarea")].some(isDirty)) event.preventDefault();
});
