// Clocks: the interview's, each tree's, and how long ago a question was asked. Drawn each second; never spoken.

import { serverNow, spell } from "../platform/clock.js";

export class Times {
  constructor({ room, askings }) {
    this.room = room;
    this.askings = askings;
    this.stops = [];
  }

  draw() {
    const status = document.getElementById("room-status");
    if (!status) return;
    const { started, paused, pausedSeconds, pauses = "", ended } = status.dataset;
    const now = Date.parse(ended) || Date.parse(paused) || serverNow();
    this.stops = pauses.split(" ").filter(Boolean).map((one) => one.split("/").map((at) => Date.parse(at)));
    this.#write("elapsed", started ? spell(now - Date.parse(started) - 1000 * Number(pausedSeconds)) : "0:00");
    for (const one of document.querySelectorAll("[data-clock=since]")) this.#set(one, one.dataset.since ? spell(serverNow() - Date.parse(one.dataset.since)) : "");
    const used = this.#used(now);
    for (const one of document.querySelectorAll("[data-clock=tree]")) {
      const spent = used.get(one.dataset.tree);
      this.#set(one, spent === undefined ? "" : `${spell(spent)} / `);
      const planned = Number(one.closest("[data-minutes]").dataset.minutes) * 60_000;
      document.querySelector(`[data-meter="${CSS.escape(one.dataset.tree)}"]`)?.setAttribute("width", String(Math.min(100, (100 * (spent ?? 0)) / planned)));
    }
  }

  // Over a tree's askings: the time to the next asking, of whatever tree; pauses out, as on the card.
  #used(now) {
    const used = new Map();
    const asks = this.askings.askings().filter((one) => !one.retracted && !Number.isNaN(one.madeAt)).sort((a, b) => a.madeAt - b.madeAt);
    asks.forEach((one, index) => {
      const until = Math.min(now, asks[index + 1]?.madeAt ?? now);
      used.set(one.tree, (used.get(one.tree) ?? 0) + this.#running(one.madeAt, until));
    });
    return used;
  }

  // Milliseconds between two moments without the finished pauses (while one lasts, now is its beginning).
  #running(since, until) {
    const stopped = this.stops.reduce((sum, [stop, resume]) => sum + Math.max(0, Math.min(resume, until) - Math.max(stop, since)), 0);
    return Math.max(0, until - since - stopped);
  }

  #write(name, text) {
    for (const one of document.querySelectorAll(`[data-clock=${name}]`)) this.#set(one, text);
  }

  #set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }
}
