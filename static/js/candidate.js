// The candidate's page: hears the stream `all`, shows what is shared and the time. It says nothing but pongs.

import { Cursors, readHeads } from "./core/cursor.js";
import { everySecond, serverNow, spell } from "./platform/clock.js";
import { Line, address } from "./platform/socket.js";
import { swap } from "./platform/swap.js";

const room = document.getElementById("room");
const lineBox = document.getElementById("line");
const cursors = new Cursors(readHeads(room));
const device = crypto.randomUUID();

// The lobby's check: a socket that opened and was greeted works; one that has not for a while does not.
const CHECK_MS = 8000;
const check = document.getElementById("check");

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
let greeted = false;
let lostAt = performance.now();

function drawLobby() {
  const now = document.querySelector("[data-clock=now]");
  const text = time.format(serverNow());
  if (now.textContent !== text) now.textContent = text;
  const state = greeted ? "works" : performance.now() - lostAt > CHECK_MS ? "fails" : "checking";
  if (check.dataset.state !== state) check.dataset.state = state;
}

/** Which of the page's sentences stands: by being let in, and by how the interview stands. */
function draw() {
  drawLobby();
  const { status, started, paused, pausedSeconds, ended } = document.getElementById("room-status").dataset;
  const now = Date.parse(ended) || Date.parse(paused) || serverNow();
  const clock = document.querySelector("[data-clock=elapsed]");
  const text = started ? spell(now - Date.parse(started) - 1000 * Number(pausedSeconds)) : "0:00";
  if (clock.textContent !== text) clock.textContent = text;
  const over = !["scheduled", "live", "paused"].includes(status);
  const inside = room.dataset.admitted === "true" || "localAdmitted" in room.dataset;
  room.dataset.localPhase = lineBox.dataset.state === "closed" ? "closed" : over ? "ended" : !inside ? "lobby" : status === "scheduled" ? "before" : status;
}

const handlers = {
  ping() {
    greeted = true;
    drawLobby();
  },
  event(frame) {
    const verdict = cursors.take(frame);
    if (verdict === "gap") return line.restart();
    if (verdict === "drop") return;
    if (frame.html) swap(frame.html);
    if (frame.name === "candidate.admit") room.dataset.localAdmitted = "";
    draw();
  },
  snapshot(frame) {
    cursors.reset(frame);
    if (frame.html) swap(frame.html);
    draw();
  },
};

const line = new Line({
  address: () => address(room.dataset.socket, `as=candidate&${cursors.query()}`),
  frame: (frame) => handlers[frame.type]?.(frame),
  pong: () => ({ heads: cursors.seen, outbox: 0, device }),
  state: (name) => {
    if (name !== "connecting" || lineBox.dataset.state !== "live") lineBox.dataset.state = name;
    if (name !== "live" && greeted) [greeted, lostAt] = [false, performance.now()];
    draw();
  },
});

document.querySelector("[data-fill=zone]").textContent = zone;
everySecond(draw);
line.open();
