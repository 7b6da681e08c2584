// The hint: what is worth asking by one's own marks. The server says it after they were saved; here it is put among the
// lead's follow-ups, or left where it stands for everybody else. Without a line it stays, and says as of when.

import { swap } from "../platform/swap.js";

const SETTLE_MS = 350;
const MARKS = new Set(["mark.set", "boundary.set"]);
const PANEL = /^(probe|lead|interview|tree)\./;

export class Hint {
  /** label(): give the follow-ups their keys again; changed(): draw everything anew. */
  constructor({ room, askings, look, label, say, changed }) {
    Object.assign(this, { room, askings, look, label, say, changed });
    this.address = room.dataset.hint ?? "";
    this.kept = `hints-off/${room.dataset.person}`;
    this.off = this.#remembered();
    this.commands = { "hint.look": () => this.show(), "hint.switch": () => this.toggle() };
  }

  get region() {
    return document.getElementById("hint");
  }

  /** An event or an acknowledged command: whether it can change what is worth asking. */
  hear({ name, data = {} }) {
    const judged = MARKS.has(name) && (name !== "mark.set" || "outcome" in data || "aid" in data);
    if (judged || PANEL.test(name)) this.ask();
  }

  ask() {
    if (!this.address || this.off) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#fetch(), SETTLE_MS);
  }

  async #fetch() {
    this.asking?.abort();
    this.asking = new AbortController();
    try {
      const answer = await fetch(this.address, { signal: this.asking.signal, headers: { "HX-Request": "true" } });
      // A redirect ends on the sign-in page, which is no answer to this.
      if (!answer.ok || answer.redirected) return;
      swap(await answer.text(), (region) => region.id === "hint");
      this.changed();
    } catch {
      // No line, or overtaken by a newer question: the hint before stays, with its time.
    }
  }

  /** Whether it still stands: asked since, it is no hint any more. */
  get probe() {
    const probe = this.region?.dataset.probe ?? "";
    if (this.off) return "";
    const asked = this.askings.askings().some((one) => one.probe === probe && !one.retracted);
    return asked ? "" : probe;
  }

  draw() {
    const { region, probe } = this;
    if (!region) return;
    document.querySelector("[data-command='hint.switch']")?.setAttribute("aria-pressed", String(!this.off));
    region.toggleAttribute("data-local-past", !probe);
    const list = document.getElementById("next-list");
    const source = list && probe ? region.querySelector(".next__one") : null;
    for (const row of document.querySelectorAll("#next-list [data-local-hinted]")) if (!source || !this.#isStill(row, probe)) this.#clear(row);
    if (!source) return;
    const row = list.querySelector("[data-local-hinted]") ?? this.#put(list, source, probe);
    this.#explain(row, region.querySelector(".next__why"));
  }

  // A morph may have made another question of the row, and left what is local on it.
  #isStill(row, probe) {
    return row.dataset.localHinted === probe && row.querySelector(".next__press").dataset.probe === probe;
  }

  #clear(row) {
    const own = row.dataset.localOwn === row.querySelector(".next__press").dataset.probe;
    for (const name of ["localHinted", "localOwn", "localKeep"]) delete row.dataset[name];
    row.querySelector(".next__why")?.remove();
    if (own) row.remove();
  }

  // The follow-up that is hinted at; at the end one more, where it is none of them.
  #put(list, source, probe) {
    let row = [...list.querySelectorAll(".next__press")].find((one) => one.dataset.probe === probe)?.closest("li");
    if (!row) {
      row = source.cloneNode(true);
      row.dataset.localKeep = "";
      row.dataset.localOwn = probe;
      list.append(row);
    }
    row.dataset.localHinted = probe;
    this.label();
    return row;
  }

  #explain(row, source) {
    const shown = row.querySelector(".next__why");
    if (shown?.textContent === source.textContent && shown.querySelector("time").dateTime === source.querySelector("time").dateTime) return;
    const why = source.cloneNode(true);
    why.dataset.localKeep = "";
    if (!shown) return row.append(why);
    // Not the button at its head: it may have the focus.
    for (const part of [".next__why-text", ".next__asof"]) shown.querySelector(part).replaceWith(why.querySelector(part));
  }

  // On this device, for this person; where nothing can be kept, until the page is closed.
  #remembered() {
    try {
      return localStorage.getItem(this.kept) !== null;
    } catch {
      return false;
    }
  }

  toggle() {
    this.off = !this.off;
    clearTimeout(this.timer);
    try {
      if (this.off) localStorage.setItem(this.kept, "");
      else localStorage.removeItem(this.kept);
    } catch {
      // Off for now is what was asked for.
    }
    this.ask();
    this.changed();
  }

  /** H: light it (Enter asks it, where one leads) and say why. */
  show() {
    const row = document.querySelector("#next-list [data-local-hinted]");
    if (row) this.look.follow(row.querySelector(".next__press"));
    const shown = row ?? this.region;
    shown?.scrollIntoView({ block: "nearest" });
    const words = [".next__prompt", ".next__why-text"].map((part) => shown?.querySelector(part)?.textContent.trim());
    this.say(words.filter(Boolean).join(" "));
  }
}
