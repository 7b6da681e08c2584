// Written on two devices: both values in place, and one key for each way out. Nothing is lost until a person chose.

import { overlay } from "../core/delivery.js";
import { clone } from "../platform/swap.js";

export class Conflicts {
  /** describe(item, value) gives words, when(date) a time; replaceNote(asked, text) puts a chosen text into its field; device(): ours. */
  constructor({ mine, outbox, put, describe, when, replaceNote, device }) {
    Object.assign(this, { mine, outbox, put, describe, when, replaceNote, device });
    this.box = document.getElementById("conflicts");
    this.commands = {
      "conflict.mine": (button) => this.keepMine(button.closest("[data-item]").dataset.item),
      "conflict.saved": (button) => this.takeSaved(button.closest("[data-item]").dataset.item),
    };
  }

  /** Items in conflict: {item, rows, current, ours}; `ours` is what was meant, all stale writes on top of each other. */
  open() {
    const byItem = Map.groupBy(this.outbox.rows.filter((row) => row.status === "stale"), (row) => row.item);
    return [...byItem].map(([item, rows]) => ({
      item, rows,
      current: this.#current(item, rows),
      ours: overlay({}, rows.map(({ data }) => ({ data }))),
    }));
  }

  // A refusal tells what stood there then; what has been heard since may be newer.
  #current(item, rows) {
    const told = rows.map((row) => row.refusal?.current).filter(Boolean);
    return [...told, this.mine.saved.get(item) ?? {}].reduce((best, one) => ((one.version ?? 0) > (best.version ?? 0) ? one : best));
  }

  #find(item) {
    return this.open().find((one) => one.item === item);
  }

  /** A new command with a new id, on the version that stands there now. */
  keepMine(item) {
    const { rows, current } = this.#find(item);
    const last = rows.at(-1);
    const data = Object.assign({}, ...rows.map((row) => row.data));
    const ratings = Object.assign({}, ...rows.map((row) => row.data.ratings ?? {}));
    if (Object.keys(ratings).length) data.ratings = ratings;
    this.mine.correct(item, current);
    if (this.put([{ name: last.name, data: { ...data, version: this.mine.next(item) }, extra: last.extra }])) this.outbox.discard(rows);
  }

  takeSaved(item) {
    const { rows, current } = this.#find(item);
    this.mine.correct(item, current);
    this.outbox.discard(rows);
    if (item.startsWith("note:")) this.replaceNote(rows[0].data.asked, current.text ?? "");
  }

  draw() {
    if (!this.box) return;
    const open = this.open();
    for (const old of this.box.querySelectorAll("[data-item]")) if (!open.some((one) => one.item === old.dataset.item)) old.remove();
    for (const one of open) {
      const about = this.describe(one.item);
      const saved = Date.parse(one.current.made_at);
      const fill = {
        about, here: this.describe(one.item, one.ours), saved: this.describe(one.item, one.current),
        when_here: this.when(one.rows.at(-1).stamp.date), when_saved: Number.isNaN(saved) ? "" : this.when(saved),
      };
      const others = new Set((one.current.devices ?? []).filter(({ device, browser }) => browser && device !== this.device()).map(({ browser }) => browser));
      if (others.size) fill.device = [...others].join(" / ");
      const drawn = this.box.querySelector(`[data-item="${CSS.escape(one.item)}"]`);
      if (!drawn) this.box.append(clone("t-conflict", { fill, set: { "data-item": one.item } }));
      else for (const [name, text] of Object.entries(fill)) drawn.querySelector(`[data-fill=${name}]`).textContent = text;
    }
  }
}
