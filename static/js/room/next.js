// The follow-ups the lead can ask: from the page's templates at once, refined by the server where there is a line.

import { clone, swap } from "../platform/swap.js";

const SETTLE_MS = 120;
const REGIONS = new Set(["lead-bar", "lead-prompt", "next-probes", "outline"]);
const TREES = new Set(["probe.adhoc", "tree.edit"]);

export class Next {
  constructor({ room, askings, changed }) {
    Object.assign(this, { room, askings, changed });
    this.keys = (room.dataset.nextKeys ?? "").split(" ").filter(Boolean);
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
    if (!(name.startsWith("lead.") || name === "interview.start" || (this.leads && (name.startsWith("probe.") || name === "seats.change" || name === "tree.edit")))) return;
    // The outline is long, and changes only with these.
    this.trees ||= name.startsWith("lead.") || TREES.has(name);
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
