// Notes, one text an asking: kept when typing pauses, when the field is left, and when the page goes away.

import { clone } from "../platform/swap.js";

const PAUSE_MS = 700;
const LIMIT = 20_000;

export class Notes {
  constructor({ mine, look, outbox, put, askings, words, alert }) {
    Object.assign(this, { mine, look, outbox, put, askings, words, alert });
    this.box = document.querySelector(".dock__notes");
    this.timers = new Map();
    this.commands = { "note.focus": () => this.focus() };
    if (!this.box) return;
    this.box.addEventListener("input", (event) => this.#later(event.target));
    this.box.addEventListener("focusout", (event) => this.keep(event.target));
    this.box.addEventListener("keydown", (event) => this.#onKey(event));
    document.addEventListener("visibilitychange", () => document.hidden && this.keepAll());
    addEventListener("pagehide", () => this.keepAll());
  }

  field(asked) {
    return document.querySelector(`#my-note-${CSS.escape(asked || "general")} textarea`);
  }

  focus() {
    this.field(this.look.asking?.id ?? "")?.focus();
  }

  // Esc leaves the field; never in the middle of a composition.
  #onKey(event) {
    if (event.key !== "Escape" || event.isComposing || event.keyCode === 229) return;
    event.target.blur();
    event.stopPropagation();
  }

  #later(field) {
    clearTimeout(this.timers.get(field));
    this.timers.set(field, setTimeout(() => this.keep(field), PAUSE_MS));
  }

  keepAll() {
    for (const field of this.box?.querySelectorAll("textarea") ?? []) this.keep(field); // who only listens has none
  }

  /** Turn what was typed into a command, if it differs from what was kept last. */
  keep(field) {
    clearTimeout(this.timers.get(field));
    if (!field.matches?.("textarea[data-note]")) return;
    const asked = field.dataset.note || null;
    const item = `note:${asked ?? "-"}`;
    const text = field.value;
    if (text === this.#last(item, field)) return;
    if (text.length > LIMIT) return this.alert(this.words("too_long"));
    const queued = this.outbox.rows.findLast((row) => row.item === item && row.status === "queued");
    if (queued && this.outbox.amend(queued, { ...queued.data, text })) return;
    this.put([{ name: "note.set", data: { ...(asked ? { asked } : {}), text, version: this.mine.next(item) } }]);
  }

  #last(item, field) {
    return this.outbox.rows.findLast((row) => row.item === item && row.status === "queued")?.data.text ?? field.defaultValue;
  }

  /** The server has this text now: the field counts as untouched again, unless more was typed. */
  acked({ data }) {
    const field = this.field(data.asked);
    if (field) field.defaultValue = data.text;
  }

  /** Show another text than what stands there: the saved one was chosen over one's own. */
  replace(asked, text) {
    const field = this.field(asked);
    if (!field) return;
    field.defaultValue = text;
    field.value = text;
  }

  draw() {
    if (!this.box) return;
    for (const { id } of this.askings.askings()) if (!document.getElementById(`my-note-${id}`)) this.#add(id);
    // What an earlier page kept but could not send stands in the field again.
    for (const row of this.outbox.rows) {
      const field = row.name === "note.set" && row.status === "queued" && this.field(row.data.asked);
      if (field && field.value === field.defaultValue && field !== document.activeElement) field.value = row.data.text;
    }
    const item = `note:${this.look.asking?.id ?? "-"}`;
    this.box.querySelector("[data-save=note]").dataset.state = this.mine.state(item, "text");
  }

  #add(id) {
    const note = clone("t-note", { set: { id: `my-note-${id}`, "data-of": id, "data-version": "0" } });
    note.querySelector("textarea").dataset.note = id;
    note.toggleAttribute("data-local-shown", this.look.asking?.id === id);
    this.box.append(note);
  }
}
