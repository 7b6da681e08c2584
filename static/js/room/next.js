// The follow-ups the lead can ask: from the page's templates at once, refined by the server where there is a line.

import { clone, swap } from "../platform/swap.js";

const SETTLE_MS = 120;
// An interviewer may take the lead 60 s after the server last heard of it; what we heard last may be a heartbeat older.
const SURE_MS = 45_000;
const REGIONS = new Set(["lead-bar", "lead-prompt", "lead-offers", "next-probes", "outline"]);
const FOR_THE_LEAD = /^(probe\.|hand\.|seats\.change$|askers\.change$|tree\.edit$|interview\.reopen$)/;
const TREES = new Set(["probe.adhoc", "tree.edit"]);

export class Next {
  /** away(): milliseconds without a line, 0 with one; others(): whether an interviewer was here who could take the lead. */
  constructor({ room, askings, changed, away, others, say }) {
    Object.assign(this, { room, askings, changed, away, others, say });
    this.keys = (room.dataset.nextKeys ?? "").split(" ").filter(Boolean);
    this.unheard = document.getElementById("ask-unheard");
  }

  /** Whether this seat holds the lead, by what the panel was told last. */
  get leads() {
    const mine = document.getElementById(`seat-${this.room.dataset.seat}`);
    return (mine?.dataset.role ?? this.room.dataset.role) === "lead";
  }

  draw() {
    this.room.toggleAttribute("data-local-leads", this.leads);
    const region = document.getElementById("next-probes");
    const probe = this.askings.current()?.probe ?? "";
    if (region && this.leads && region.dataset.for !== probe) this.#fill(region, probe);
    this.label();
    this.guard();
  }

  /**
   * What a lead without a line may ask. Alone: everything, it is accepted late. With somebody who could take the lead: only
   * while it is certain that nobody did. Drawn each second.
   */
  guard() {
    if (!this.unheard) return;
    const away = this.leads && this.others() ? this.away() : 0;
    const says = away > SURE_MS ? "unheard" : away > 0 ? "unseen" : "";
    for (const press of document.querySelectorAll("#next-list .next__press, .outline__press, [data-command='own.open']")) {
      if (press.disabled !== (says === "unheard")) press.disabled = says === "unheard";
    }
    if (this.unheard.dataset.say === says) return;
    this.unheard.dataset.say = says;
    for (const line of this.unheard.children) line.hidden = line.dataset.says !== says;
    this.unheard.hidden = !says;
    if (says === "unheard") this.say(this.unheard.querySelector("[data-says=unheard]").textContent);
  }

  // Off line, and until the server answers: the templates of the pinned probes whose parent is the current one.
  #fill(region, probe) {
    region.dataset.for = probe;
    const list = region.querySelector("#next-list");
    if (!list) return;
    const rows = [...document.querySelectorAll("template[data-parent]")]
      .filter((template) => template.dataset.parent === probe)
      .map((template) => template.content.querySelector(".next__one")?.cloneNode(true))
      .filter(Boolean);
    list.replaceChildren(...(rows.length ? rows : [clone("t-next-none")]));
  }

  /** Give every follow-up its key. */
  label() {
    [...document.querySelectorAll("#next-list .next__press")].forEach((button, index) => {
      const key = this.keys[index] ?? "";
      const cap = button.querySelector("kbd");
      if (cap && cap.textContent !== key) cap.textContent = key;
      const lit = "localLooked" in button.dataset;
      button.setAttribute("aria-keyshortcuts", lit ? `${key} Enter` : key);
    });
  }

  /** An event of the panel: the lead's controls may be others now. */
  hear(name) {
    // The outline is long, and changes only with these.
    const trees = name.startsWith("lead.") || (TREES.has(name) && Boolean(document.getElementById("outline")));
    if (!trees && name !== "interview.start" && !(this.leads && FOR_THE_LEAD.test(name))) return;
    this.trees ||= trees;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(), SETTLE_MS);
  }

  async fetch() {
    this.asking?.abort();
    this.asking = new AbortController();
    try {
      const answer = await fetch(`${this.room.dataset.controls}${this.trees ? "?trees=1" : ""}`, { signal: this.asking.signal, headers: { "HX-Request": "true" } });
      // A redirect ends on the sign-in page, which is no answer to this.
      if (!answer.ok || answer.redirected) return;
      this.trees = false;
      // An answer to an earlier question must not put its follow-ups under this one.
      const probe = this.askings.current()?.probe ?? "";
      swap(await answer.text(), (region) => REGIONS.has(region.id) && (region.dataset.for ?? probe) === probe);
      this.changed();
    } catch {
      // No line, or overtaken by a newer question: what the templates gave stays.
    }
  }
}
