// Every page of who is signed in: what this device keeps of rooms goes when they sign out, when somebody else signs in, and
// a day after their card is in. What the server does not have yet stays, whatever happens.

import { Cursors } from "./core/cursor.js";
import { Line, address } from "./platform/socket.js";
import { Device, PAGES, Store } from "./platform/store.js";
import { Tabs } from "./platform/tabs.js";
import { Outbox } from "./room/outbox.js";

const { person } = document.body.dataset;
const WHO = "sounding-person";
const LOOKED = "sounding-looked";
const LEAVES = "sounding-leaves";
const LOOK_EVERY_MS = 3_600_000;
const FLUSH_MS = 5000;
const AGAIN_MS = 3000;

// Django gives another token to each sign-in: by it a sign-out that could not be sent is known to belong to this one.
const session = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";

/** Send what waits for one room and seat; resolves when nothing does, or when it can't be sent now. */
async function flush(place) {
  const [room, seat] = place.split("/");
  const store = await Store.open({ person, room, seat });
  // What the room's page has heard is not sent again: with nothing known the server draws all of the interview.
  const heads = await store.recall(`heads/${place}`);
  const query = heads ? new Cursors(heads).query() : "v=1";
  let line = null;
  let tabs = null;
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, FLUSH_MS);
    const look = () => {
      if (outbox.waiting) return;
      clearTimeout(timer);
      resolve();
    };
    // Where a room is open in another tab, that one sends, and this one hears of it.
    tabs = new Tabs(`${person}/${place}`, { hear: (told) => outbox.hear(told), lead: () => queueMicrotask(() => outbox.lead()) });
    const outbox = new Outbox({
      store, tabs, epoch: () => 0, send: (frame) => line.send(frame), changed: look, acked() {}, refused() {}, unstored: resolve, unfit() {},
    });
    const handlers = { welcome: ({ limits }) => outbox.lineUp(limits), ack: (frame) => outbox.onAck(frame), refused: (frame) => outbox.onRefused(frame) };
    line = new Line({
      address: () => address(`/ws/interviews/${room}/`, `${query}&seat=${seat}`),
      frame: (frame) => handlers[frame.type]?.(frame),
      pong: () => ({ heads: {}, outbox: outbox.waiting, device: "" }),
      state: (name) => name === "closed" && resolve(),
    });
    outbox.reload().then(() => {
      look();
      line.open();
    });
  });
  line.close();
  tabs.close();
  store.db.close();
}

/** How many commands the server does not have, after trying. */
async function sendAll() {
  const waiting = (await Device.unsent(person)).filter((row) => row.status === "queued");
  await Promise.all([...new Set(waiting.map((row) => row.place))].map(flush));
  return (await Device.unsent(person)).length;
}

const reaches = (address) => fetch(address, { method: "HEAD", redirect: "manual", cache: "no-store" }).then(() => true, () => false);

async function signOut(form) {
  const online = await reaches(form.action);
  const left = online ? await sendAll() : (await Device.unsent(person)).length;
  const { askLeft, askOffline, askSure } = form.dataset;
  if (!online && !(confirm(askOffline.replace("{n}", left)) && confirm(askSure))) return;
  if (online && left && !confirm(askLeft.replace("{n}", left))) return;
  await Device.clear(person);
  localStorage.removeItem(WHO);
  if (online) form.submit();
  else leaveLater(form);
}

// The server ends the session as soon as it can be reached, from this page or the next one.
function leaveLater(form) {
  localStorage.setItem(LEAVES, session());
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "status");
  notice.textContent = form.dataset.later;
  document.getElementById("main").replaceChildren(notice);
  let gone = false;
  const again = setInterval(async () => {
    // A server that is just coming up may take longer to answer than one waits before the next question.
    if (!(await reaches(form.action)) || gone) return;
    gone = true;
    clearInterval(again);
    localStorage.removeItem(LEAVES);
    form.submit();
  }, AGAIN_MS);
}

async function tidy() {
  if (localStorage.getItem(WHO) !== person) {
    for (const other of await Device.people()) if (other !== person) await Device.clear(other);
    for (const name of await caches.keys()) if (name.startsWith(PAGES) && !name.endsWith(person)) await caches.delete(name);
    localStorage.setItem(WHO, person);
  }
  if (Date.now() - Number(localStorage.getItem(LOOKED)) < LOOK_EVERY_MS) return;
  const rooms = await Device.rooms(person);
  if (rooms.length) {
    const answer = await fetch(`/interviews/settled/?${new URLSearchParams(rooms.map((code) => ["code", code]))}`);
    if (!answer.ok || answer.redirected) return;
    for (const code of (await answer.json()).settled) await Device.forget(person, code);
  }
  localStorage.setItem(LOOKED, String(Date.now()));
}

document.addEventListener("submit", (event) => {
  if (!("signsOut" in event.target.dataset)) return;
  event.preventDefault();
  // A browser that can't say what it keeps has kept nothing.
  signOut(event.target).catch(() => event.target.submit());
});

const form = document.querySelector("form[data-signs-out]");
const leaves = localStorage.getItem(LEAVES);
localStorage.removeItem(LEAVES);
if (form && leaves && leaves === session()) form.submit();
else tidy().catch(() => {});
