// Clocks: the interview's, each tree's, and how long ago a question was asked. Drawn each second; never spoken.

import { serverNow, spell } from "../platform/clock.js";

export class Times {
  constructor({ room, askings }) {
    this.room = room;
    this.askings = askings;
  }

  draw() {
    const status = document.getElementById("room-status");
    if (!status) return;
    const { started, paused, pausedSeconds, ended } = status.dataset;
    const now = Date.parse(ended) || Date.parse(paused) || serverNow();
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

  // Over a tree's askings: the time to the next asking, of whatever tree. (The card's minutes take pauses out as well.)
  #used(now) {
    const used = new Map();
    const asks = this.askings.askings().filter((one) => !one.retracted && !Number.isNaN(one.madeAt)).sort((a, b) => a.madeAt - b.madeAt);
    asks.forEach((one, index) => {
      const until = Math.min(now, asks[index + 1]?.madeAt ?? now);
      used.set(one.tree, (used.get(one.tree) ?? 0) + Math.max(0, until - one.madeAt));
    });
    return used;
  }

  #write(name, text) {
    for (const one of document.querySelectorAll(`[data-clock=${name}]`)) this.#set(one, text);
  }

  #set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }
}
