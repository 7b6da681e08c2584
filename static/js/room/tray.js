// What the server did not accept, with its words: attached to another asking, copied or discarded, always by hand.

import { isKept, overlay } from "../core/delivery.js";
import { clone } from "../platform/swap.js";

/** What a row's entry is called: its item, or "own:<id>" for a question or wording of the lead's. A line of chat has none. */
const entryOf = (row) => row.item ?? (isKept(row) && row.name !== "chat.post" ? `own:${row.id}` : null);

export class Tray {
  constructor({ mine, outbox, put, describe, askings, when, say, words }) {
    Object.assign(this, { mine, outbox, put, describe, askings, when, say, words });
    this.list = document.getElementById("tray");
    this.opener = document.getElementById("tray-open");
    this.commands = {
      "tray.attach": (button) => this.attach(this.#entry(button), button.closest("li").querySelector("select").value),
      "tray.copy": (button) => this.copy(button.closest("li").querySelector("[data-fill=words]").textContent),
      "tray.discard": (button) => this.outbox.discard(this.#entry(button)?.rows ?? []),
    };
  }

  /** One entry an item, whatever was written of it: {item, rows, value}. A line of chat waits in the chat's own drawer. */
  get entries() {
    const byItem = Map.groupBy(this.outbox.rows.filter((row) => row.status === "refused" && entryOf(row)), entryOf);
    return [...byItem].map(([item, rows]) => ({ item, rows, value: overlay({}, rows.map(({ data }) => ({ data }))) }));
  }

  #entry(button) {
    const { item } = button.closest("[data-item]").dataset;
    return this.entries.find((one) => one.item === item);
  }

  /** The same judgement again, on an asking of one's choice, as a new command. */
  attach(entry, asked) {
    const to = this.askings.find(asked);
    const command = entry && to && this.#command(entry, to);
    if (command && this.put([command])) this.outbox.discard(entry.rows);
  }

  #command({ item, rows, value }, to) {
    const last = rows.at(-1);
    const [kind] = last.name.split(".");
    const { ratings, ...said } = value;
    if (kind === "mark") {
      const rated = Object.keys(ratings).length ? { ratings } : {};
      return { name: last.name, data: { ...said, ...rated, asked: to.id, version: this.mine.next(`mark:${to.id}`) } };
    }
    if (kind === "note") return { name: last.name, data: { text: this.#joined(to.id, said.text), asked: to.id, version: this.mine.next(`note:${to.id}`) } };
    if (kind === "boundary") {
      const probe = said.probe ? { probe: to.probe } : {};
      return { name: last.name, data: { ...said, ...probe, tree: to.tree, version: this.mine.next(`boundary:${to.tree}`) }, extra: last.extra };
    }
    const { type, aid, detail } = { ...this.mine.saved.get(item), ...said };
    return { name: `${kind}.add`, data: { asked: to.id, type, aid, detail } };
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
    const { entries } = this;
    this.opener.hidden = entries.length === 0;
    this.opener.querySelector("[data-fill=count]").textContent = entries.length;
    const names = new Set(entries.map(({ item, rows }) => `${item} ${rows.length}`));
    for (const old of this.list.querySelectorAll("[data-of]")) if (!names.has(old.dataset.of)) old.remove();
    for (const one of entries) if (!this.list.querySelector(`[data-of="${CSS.escape(`${one.item} ${one.rows.length}`)}"]`)) this.list.append(this.#draw(one));
    if (!entries.length) this.list.closest("dialog")?.close();
  }

  #draw({ item, rows, value }) {
    const last = rows.at(-1);
    const one = clone("t-tray", {
      fill: { about: this.describe(item), when: this.when(last.stamp.date), words: this.describe(item, value), why: rows[0].refusal?.message ?? "" },
      set: { "data-item": item, "data-of": `${item} ${rows.length}` },
    });
    for (const link of one.querySelectorAll("[data-tray-code]")) link.hidden = link.dataset.trayCode !== rows[0].refusal?.code;
    // Taking something away can't be attached anywhere, nor can a question.
    for (const part of one.querySelectorAll("[data-attaches]")) part.hidden = last.name.endsWith(".remove") || !last.item;
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
