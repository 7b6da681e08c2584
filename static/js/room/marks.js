// The dock's marks: which button is pressed, which aim is lit, and how far each mark is on its way.

import { clone } from "../platform/swap.js";

const PARTS = { outcome: "mark", aid: "mark", ratings: "mark" };

export class Marks {
  /** act(commands, undo): puts commands and remembers how to take them back. */
  constructor({ mine, look, act, askings }) {
    Object.assign(this, { mine, look, act, askings });
    this.dock = document.getElementById("dock");
    this.aim = null;
    this.aimOf = null;
    this.commands = {
      "mark.set": (button) => this.set(button),
      "aim.choose": (button) => this.choose(button.dataset.value),
      "aim.on": () => this.stepAim(1),
      "aim.back": () => this.stepAim(-1),
    };
  }

  /** A press on a value: the asking and the aim are read now, at the press. */
  set(button) {
    const asking = this.look.asking;
    if (!asking) return;
    const item = `mark:${asking.id}`;
    const { field } = button.dataset;
    const before = this.mine.value(item);
    const said = field === "ratings" ? { ratings: { [this.lit(before)]: Number(button.dataset.value) } } : { [field]: button.dataset.value };
    const same = field === "ratings" ? before.ratings[this.lit(before)] === Number(button.dataset.value) : before[field] === said[field];
    if (same) return;
    const was = field === "ratings" ? { ratings: { [this.lit(before)]: before.ratings[this.lit(before)] ?? null } } : { [field]: before[field] ?? null };
    const aim = this.lit(before);
    this.act([{ name: "mark.set", data: { asked: asking.id, ...said, version: this.mine.next(item) } }], () => [
      { name: "mark.set", data: { asked: asking.id, ...was, version: this.mine.next(item) } },
    ]);
    if (field === "ratings") this.#moveOn(asking, aim);
  }

  /** The lit aim: chosen, or the first one not rated. */
  lit(value) {
    const aims = this.look.aims();
    if (this.aimOf !== this.look.asking?.id || !aims.includes(this.aim)) {
      this.aimOf = this.look.asking?.id ?? null;
      this.aim = aims.find((aim) => value.ratings[aim] == null) ?? aims[0] ?? null;
    }
    return this.aim;
  }

  #moveOn(asking, aim) {
    const value = this.mine.value(`mark:${asking.id}`);
    const aims = this.look.aims();
    this.aim = aims.slice(aims.indexOf(aim) + 1).find((one) => value.ratings[one] == null) ?? aim;
    this.draw();
  }

  choose(aim) {
    this.aimOf = this.look.asking?.id ?? null;
    this.aim = aim;
    this.draw();
  }

  stepAim(by) {
    const aims = this.look.aims();
    const at = aims.indexOf(this.lit(this.mine.value(`mark:${this.look.asking?.id}`)));
    if (aims.length) this.choose(aims[(at + by + aims.length) % aims.length]);
  }

  draw() {
    if (!this.dock) return;
    this.#drawRail();
    const asking = this.look.asking;
    const item = `mark:${asking?.id}`;
    const value = this.mine.value(item);
    const able = Boolean(asking) && !asking.retracted;
    for (const button of this.dock.querySelectorAll("[data-command='mark.set']")) {
      const { field, value: given } = button.dataset;
      const on = field === "ratings" ? value.ratings[this.lit(value)] === Number(given) : value[field] === given;
      button.setAttribute("aria-pressed", String(able && on));
      button.disabled = !able;
    }
    for (const part of Object.keys(PARTS)) this.#save(part, able ? this.mine.state(item, part) : "");
    this.#drawAims(value, able);
  }

  #drawAims(value, able) {
    const aims = this.look.aims();
    const lit = this.lit(value);
    for (const button of this.dock.querySelectorAll("[data-command='aim.choose']")) {
      const aim = button.dataset.value;
      button.hidden = !able || !aims.includes(aim);
      button.setAttribute("aria-pressed", String(aim === lit));
      button.querySelector("[data-fill=rating]").textContent = value.ratings[aim] ?? "";
    }
    for (const button of this.dock.querySelectorAll("[data-field=ratings]")) {
      const anchor = able ? this.look.anchor(lit, button.dataset.value) : null;
      const text = button.querySelector(".rate__anchor");
      text.textContent = anchor?.textContent ?? "";
      text.lang = anchor?.lang ?? "";
    }
    const pressed = this.dock.querySelector("[data-field=ratings][aria-pressed=true]");
    const said = document.getElementById("rate-said");
    said.textContent = pressed ? `${pressed.dataset.value}: ${pressed.querySelector(".rate__anchor").textContent}` : "";
  }

  // One's own outcome beside each asking, also while it is on its way.
  #drawRail() {
    for (const { id, row } of this.askings.askings()) {
      const slot = row.querySelector("[data-slot]");
      const value = this.mine.value(`mark:${id}`);
      const outcome = value.outcome ?? "";
      if (!slot || (slot.dataset.outcome ?? "") === outcome) continue;
      const fresh = clone("t-mark", { fill: { word: this.word("outcome", outcome) }, set: { id: `my-mark-${id}`, "data-outcome": outcome } });
      fresh.querySelector("use").setAttribute("href", `#o-${outcome || "not_asked"}`);
      slot.replaceWith(fresh);
    }
  }

  /** The server's word for a value, from the button that sets it. */
  word(field, value) {
    return this.dock.querySelector(`[data-field="${field}"][data-value="${value}"] span:last-of-type`)?.textContent ?? "";
  }

  #save(of, state) {
    const box = this.dock.querySelector(`[data-save="${of}"]`);
    if (box && box.dataset.state !== state) box.dataset.state = state;
  }
}
