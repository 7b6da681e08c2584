// What the server did not accept, with its words: attached to another asking, copied or discarded, always by hand.

import { clone } from "../platform/swap.js";

export class Tray {
  constructor({ mine, outbox, put, describe, askings, when, say, words }) {
    Object.assign(this, { mine, outbox, put, describe, askings, when, say, words });
    this.list = document.getElementById("tray");
    this.opener = document.getElementById("tray-open");
    this.commands = {
      "tray.attach": (button) => this.attach(this.#row(button), button.closest("li").querySelector("select").value),
      "tray.copy": (button) => this.copy(button.closest("li").querySelector("[data-fill=words]").textContent),
      "tray.discard": (button) => this.outbox.discard([this.#row(button)]),
    };
  }

  get rows() {
    // A line of chat waits in the chat's own drawer.
    return this.outbox.rows.filter((row) => row.status === "refused" && row.item);
  }

  #row(button) {
    return this.rows.find((row) => row.id === button.closest("[data-id]").dataset.id);
  }

  /** The same judgement again, on an asking of one's choice, as a new command. */
  attach(row, asked) {
    const to = this.askings.find(asked);
    if (!row || !to) return;
    const [kind, verb] = row.name.split(".");
    const { version: _, ...data } = row.data;
    let command;
    if (kind === "mark") command = { name: row.name, data: { ...data, asked, version: this.mine.next(`mark:${asked}`) } };
    else if (kind === "note") command = { name: row.name, data: { text: this.#joined(asked, data.text), asked, version: this.mine.next(`note:${asked}`) } };
    else if (kind === "boundary") command = { name: row.name, data: { ...data, tree: to.tree, ...(data.probe ? { probe: to.probe } : {}), version: this.mine.next(`boundary:${to.tree}`) }, extra: row.extra };
    else if (verb === "remove") command = null;
    else command = { name: `${kind}.add`, data: { asked, type: data.type, aid: data.aid, detail: data.detail } };
    this.outbox.discard([row]);
    if (command) this.put([command]);
  }

  // Notes are added to what stands there, never put over it.
  #joined(asked, text) {
    const there = document.querySelector(`#my-note-${CSS.escape(asked)} textarea`)?.value.trim() ?? "";
    return there ? `${there}\n${text}` : text;
  }

  async copy(text) {
    await navigator.clipboard.writeText(text);
    this.say(this.words("copied"));
  }

  draw() {
    if (!this.list) return;
    const rows = this.rows;
    this.opener.hidden = rows.length === 0;
    this.opener.querySelector("[data-fill=count]").textContent = rows.length;
    for (const old of this.list.querySelectorAll("[data-id]")) if (!rows.some((row) => row.id === old.dataset.id)) old.remove();
    for (const row of rows) if (!this.list.querySelector(`[data-id="${row.id}"]`)) this.list.append(this.#draw(row));
    if (!rows.length) this.list.closest("dialog")?.close();
  }

  #draw(row) {
    const one = clone("t-tray", {
      fill: { about: this.describe(row.item), when: this.when(row.stamp.date), words: this.describe(row.item, row.data), why: row.refusal?.message ?? "" },
      set: { "data-id": row.id },
    });
    for (const link of one.querySelectorAll("[data-tray-code]")) link.hidden = link.dataset.trayCode !== row.refusal?.code;
    const select = one.querySelector("select");
    for (const asking of this.askings.askings()) {
      if (asking.retracted) continue;
      const { text, lang } = this.askings.titleOf(asking);
      const option = new Option(text, asking.id);
      option.lang = lang;
      select.append(option);
    }
    return one;
  }
}
