// The panel's chat: a drawer that its reader opens. One's own lines stand there from the first moment, refused ones with
// their words until they are written again or discarded by hand; focus moves only when the drawer is opened or closed.

import { clone } from "../platform/swap.js";

const SPOKEN = 140;

export class Chat {
  constructor({ room, outbox, put, say, words }) {
    Object.assign(this, { room, outbox, put, say, words });
    this.box = document.getElementById("chat");
    this.opener = document.getElementById("chat-open");
    this.field = document.getElementById("chat-text"); // none where the position has no chat (any more)
    this.own = document.getElementById("chat-mine");
    this.acked = []; // rows whose line is a moment behind its ack
    this.key = `chat/${room.dataset.room}/${room.dataset.seat}`;
    this.commands = {
      "chat.toggle": () => this.toggle(this.box.hidden),
      "chat.again": (button) => this.again(this.#row(button)),
      "chat.discard": (button) => this.outbox.discard([this.#row(button)]),
    };
    document.getElementById("chat-form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.post();
    });
    this.box.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Words that stand in the field and were not sent. */
  get draft() {
    return this.field?.value.trim() ?? "";
  }

  toggle(open) {
    this.box.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    if (open) this.draw();
    (open ? (this.field ?? document.getElementById("chat-scroll")) : this.opener).focus();
    this.#toEnd();
  }

  post() {
    const text = this.draft;
    if (!text) return;
    if (!this.put([{ name: "chat.post", data: { text } }])) return;
    this.field.value = "";
  }

  /** Put the words of a refused line back into the field, after what stands there. */
  again(row) {
    this.field.value = [this.draft, row.data.text].filter(Boolean).join("\n");
    this.outbox.discard([row]);
    this.field.focus();
  }

  /** An event of the panel, after its line was drawn. Said politely; the words only to who has the drawer open. */
  hear({ name, by, data }) {
    if (name !== "chat.post" || by === this.room.dataset.seat) return;
    const line = document.getElementById(`chat-${data.line}`);
    const who = line?.querySelector(".chat__who").textContent ?? "";
    const text = this.box.hidden ? "" : line?.querySelector(".chat__text").textContent.slice(0, SPOKEN);
    this.say([this.words("chat"), who, text].filter(Boolean).join(" "));
  }

  onAck(row) {
    if (row.name === "chat.post") this.acked.push(row);
  }

  draw() {
    const scroll = document.getElementById("chat-scroll");
    const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40;
    this.acked = this.acked.filter((row) => !document.getElementById(`chat-${row.id}`));
    const rows = [...this.acked, ...this.outbox.rows.filter((row) => row.name === "chat.post")];
    for (const old of [...this.own.children]) if (!rows.some((row) => row.id === old.dataset.id)) old.remove();
    for (const row of rows) this.#drawOwn(row);
    this.opener.hidden = !this.field && !rows.length && this.box.hidden;
    this.#count();
    if (atEnd) this.#toEnd();
  }

  #drawOwn(row) {
    let line = this.own.querySelector(`[data-id="${row.id}"]`);
    if (!line) {
      line = clone("t-chat", { fill: { text: row.data.text }, set: { "data-id": row.id } });
      this.own.append(line);
    }
    const refused = row.status === "refused";
    line.querySelector("[data-fill=state]").textContent = refused ? `${this.words("refused")}: ${row.refusal?.message ?? ""}` : this.words("sending");
    line.querySelector(".chat__do").hidden = !refused;
  }

  // Lines of others that came since the drawer was last open in this tab.
  #count() {
    const theirs = [...document.querySelectorAll("#chat-lines > [data-seq]")].filter((line) => line.dataset.seat !== this.room.dataset.seat);
    const last = Math.max(0, ...theirs.map((line) => Number(line.dataset.seq)));
    if (!this.box.hidden) sessionStorage.setItem(this.key, String(last));
    const seen = Number(sessionStorage.getItem(this.key) ?? 0);
    const unread = theirs.filter((line) => Number(line.dataset.seq) > seen).length;
    document.getElementById("chat-unread").textContent = unread || "";
  }

  #toEnd() {
    const scroll = document.getElementById("chat-scroll");
    scroll.scrollTop = scroll.scrollHeight;
  }

  #row(button) {
    return this.outbox.rows.find((row) => row.id === button.closest("[data-id]").dataset.id);
  }

  // Neither in the middle of a composition: there Enter and Esc belong to the input method.
  #onKey(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      this.toggle(false);
    } else if (event.key === "Enter" && !event.shiftKey && event.target === this.field) {
      event.preventDefault();
      this.post();
    }
  }
}
