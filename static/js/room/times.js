// Clocks: the interview's, each tree's against the plan, and how long ago a question was asked. Drawn each second, spoken
// only when asked for.

import { fairTime } from "../core/minutes.js";
import { serverNow, spell } from "../platform/clock.js";

export class Times {
  constructor({ room, askings, say }) {
    Object.assign(this, { room, askings, say });
    this.fair = document.getElementById("fair");
    this.commands = { "times.say": () => this.tell() };
  }

  draw() {
    const status = document.getElementById("room-status");
    if (!status) return;
    const { started, paused, pausedSeconds, pauses = "", ended } = status.dataset;
    const now = Date.parse(ended) || Date.parse(paused) || serverNow();
    const stops = pauses.split(" ").filter(Boolean).map((one) => one.split("/").map((at) => Date.parse(at)));
    this.#write("elapsed", started ? spell(now - Date.parse(started) - 1000 * Number(pausedSeconds)) : "0:00");
    for (const one of document.querySelectorAll("[data-clock=since]")) this.#set(one, one.dataset.since ? spell(serverNow() - Date.parse(one.dataset.since)) : "");
    const rows = [...document.querySelectorAll("#asked-list .plan__tree")];
    const found = this.#read(rows, stops, now);
    rows.forEach((row, index) => this.#drawTree(row, found[index]));
    this.#drawSum(found);
  }

  #read(rows, pauses, end) {
    const asks = this.askings.askings().filter((one) => !one.retracted && !Number.isNaN(one.madeAt));
    return fairTime({
      asks: asks.map(({ tree, probe, madeAt }) => ({ tree, probe, made_at: madeAt })),
      plan: rows.map(({ dataset: { tree, minutes, probes } }) => ({ tree, minutes: Number(minutes), probes: Number(probes) })),
      pauses, end, extra: Number(this.fair?.dataset.extra ?? 0),
    });
  }

  #drawTree(row, { used, budget, offered, planned, over }) {
    const clock = row.querySelector("[data-clock=tree]");
    this.#set(clock, offered ? `${spell(used)} / ` : "");
    const extra = Math.round(budget / 60_000) - Number(row.dataset.minutes);
    this.#set(row.querySelector("[data-clock=extra]"), extra > 0 ? `+${extra}` : "");
    row.querySelector(".meter__used")?.setAttribute("width", String(Math.min(100, (100 * used) / budget)));
    row.toggleAttribute("data-local-over", over > 0);
    this.#say(row.querySelector(".plan__offered"), offered ? [offered, planned] : null);
  }

  #drawSum(trees) {
    if (!this.fair) return;
    const sum = (name) => trees.reduce((all, one) => all + one[name], 0);
    const minutes = (name) => Math.round(sum(name) / 60_000);
    const said = {
      used: [minutes("used"), minutes("budget")], ahead: [minutes("ahead")],
      over: minutes("over") ? [minutes("over")] : null, offered: [sum("offered"), sum("planned")],
    };
    for (const line of this.fair.querySelectorAll("[data-say]")) {
      this.#say(line, said[line.dataset.say]);
      line.hidden = !said[line.dataset.say];
    }
  }

  /** The same in words, for who can't look; never by itself. */
  tell() {
    const row = document.querySelector("#asked-list .plan__tree--now");
    const parts = row ? [row.querySelector(".plan__name"), row.querySelector(".plan__min"), ...row.querySelectorAll(".plan__offered")] : [];
    if (row && "localOver" in row.dataset) parts.push(row.querySelector(".plan__over"));
    parts.push(...(this.fair?.querySelectorAll("p:not([hidden])") ?? []));
    this.say([...parts].map((one) => one?.textContent.trim()).filter(Boolean).join(". "));
  }

  #say(line, numbers) {
    if (line) this.#set(line, numbers ? line.dataset.words.replace("{n}", numbers[0]).replace("{m}", numbers[1]) : "");
  }

  #write(name, text) {
    for (const one of document.querySelectorAll(`[data-clock=${name}]`)) this.#set(one, text);
  }

  #set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }
}
