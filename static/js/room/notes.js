// Notes, one text an asking: kept when typing pauses, when the field is left, and when the page goes away.

import { clone } from "../platform/swap.js";

const PAUSE_MS = 700;

export class Notes {
  constructor({ mine, look, outbox, put, askings }) {
    Object.assign(this, { mine, look, outbox, put, askings });
    this.box = document.querySelector(".dock__notes");
    this.timers = new Map();
    this.typed = new WeakSet(); // fields that somebody typed in here since they were kept: no other tab's text is undone
    this.commands = { "note.focus": () => this.focus() };
    if (!this.box) return;
    this.box.addEventListener("input", (event) => this.#later(event.target, event.isComposing));
    this.box.addEventListener("compositionend", (event) => this.#later(event.target));
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

  // A pause in the middle of a composition is no end of it: letters on their way to becoming Han are not what was meant.
  #later(field, composing = false) {
    this.typed.add(field);
    this.box.querySelector("[data-save=note]").dataset.state = "";
    clearTimeout(this.timers.get(field));
    if (!composing) this.timers.set(field, setTimeout(() => this.keep(field), PAUSE_MS));
  }

  /** Whether everything that was typed is kept now. */
  keepAll() {
    const fields = [...(this.box?.querySelectorAll("textarea") ?? [])];
    for (const field of fields) this.keep(field);
    return !fields.some((field) => this.typed.has(field));
  }

  /** Turn what was typed into a command, if it differs from what was kept last. */
  keep(field) {
    clearTimeout(this.timers.get(field));
    if (!this.typed.has(field)) return;
    const asked = field.dataset.note || null;
    const item = `note:${asked ?? "-"}`;
    const text = field.value;
    const queued = this.outbox.rows.findLast((row) => row.item === item && row.status === "queued");
    const kept =
      text === this.#last(item, field) ||
      (queued && this.outbox.amend(queued, { ...queued.data, text })) ||
      this.put([{ name: "note.set", data: { ...(asked ? { asked } : {}), text, version: this.mine.next(item) } }]);
    if (kept) this.typed.delete(field);
  }

  #last(item, field) {
    return this.outbox.rows.findLast((row) => row.item === item && row.status === "queued")?.data.text ?? field.defaultValue;
  }

  /** The server has this text now, from whichever tab: the field counts as untouched again, unless more was typed. */
  acked({ item, data }) {
    const field = this.field(data.asked);
    if (!field) return;
    field.defaultValue = data.text;
    const more = this.outbox.rows.some((row) => row.item === item && row.status === "queued");
    if (!more && !this.typed.has(field) && field.value !== data.text) field.value = data.text;
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
    // What an earlier page or another tab kept stands in the field too.
    for (const row of this.outbox.rows) {
      const field = row.name === "note.set" && row.status === "queued" && this.field(row.data.asked);
      if (field && field.value !== row.data.text && !this.typed.has(field)) field.value = row.data.text;
    }
    const item = `note:${this.look.asking?.id ?? "-"}`;
    // What is being typed is not kept yet, whatever was saved before.
    const typing = this.typed.has(this.field(this.look.asking?.id));
    this.box.querySelector("[data-save=note]").dataset.state = typing ? "" : this.mine.state(item, "text");
  }

  #add(id) {
    const note = clone("t-note", { set: { id: `my-note-${id}`, "data-of": id, "data-version": "0" } });
    note.querySelector("textarea").dataset.note = id;
    note.toggleAttribute("data-local-shown", this.look.asking?.id === id);
    this.box.append(note);
  }
}
