// One's own judgements as the server has them, from the page's JSON and the `mine` stream; the outbox lies on top.

import { itemOf, nextVersion, overlay, stateOf, writesTo } from "../core/delivery.js";

const KINDS = { marks: "mark", boundaries: "boundary", evidence: "evidence", reasons: "reason", notes: "note" };
const NAMES = {
  marks: (one) => itemOf("mark.set", one),
  boundaries: (one) => itemOf("boundary.set", one),
  evidence: (one) => `evidence:${one.id}`,
  reasons: (one) => `reason:${one.id}`,
  notes: (one) => itemOf("note.set", one),
};

export class Mine {
  /** asksOf(tree): how many askings of a tree stand now, for an ending that was said on another device. */
  constructor(outbox, asksOf) {
    this.outbox = outbox;
    this.asksOf = asksOf;
    this.saved = new Map();
  }

  /** Start from the page's (or a snapshot's) {marks, boundaries, evidence, reasons, notes}. */
  load(state) {
    this.saved.clear();
    for (const [kind, name] of Object.entries(NAMES)) for (const one of state?.[kind] ?? []) this.saved.set(name(one), { ...one });
  }

  /** An event of the `mine` stream: what it says holds over what was saved. */
  apply({ name, data, cause }) {
    const item = itemOf(name, data, data.evidence ?? data.reason ?? cause);
    if (!item) return null;
    this.#merge(item, data, data.version ?? this.version(item) + 1, name.endsWith(".remove"));
    return item;
  }

  /** The ack of one's own write, which may come before or after its event. */
  acked(row, { version }) {
    if (row.item) this.#merge(row.item, { ...row.data, ...row.extra }, version ?? writesTo(row), row.name.endsWith(".remove"));
  }

  /** What a stale refusal says stands there; something newer may have been heard since. */
  correct(item, current) {
    if (current && (current.version ?? 0) >= this.version(item)) this.saved.set(item, { ...this.saved.get(item), ...current });
  }

  #merge(item, data, version, removed) {
    const before = this.saved.get(item);
    if (before && before.version > version) return;
    const { version: _, ...said } = data;
    if (said.ended !== undefined && said.asks === undefined && before?.version !== version) said.asks = "said_at" in said ? undefined : this.asksOf(said.tree);
    this.saved.set(item, { ...overlay(before ?? {}, [{ data: said }]), version, removed: removed || (before?.removed ?? false) });
  }

  version(item) {
    return this.saved.get(item)?.version ?? 0;
  }

  /** The version that the next write of the item builds on. */
  next(item) {
    return nextVersion(item, this.version(item), this.outbox.rows);
  }

  /** The item as its author means it now: saved, with what is on the way on top; `extra` is what the page adds for itself. */
  value(item) {
    const rows = this.outbox.rows.filter((row) => row.item === item && row.status !== "refused");
    return overlay(this.saved.get(item) ?? {}, rows.map((row) => ({ data: { ...row.data, ...row.extra } })));
  }

  /** The save state of one part of an item ("outcome", "text", ... or null for any). */
  state(item, part) {
    const saved = this.saved.get(item);
    const given = part === null || part === "text" ? true : part === "ratings" ? Object.keys(saved?.ratings ?? {}).length > 0 : saved?.[part] != null;
    return stateOf(item, part, { rows: this.outbox.rows, inFlight: this.outbox.inFlight, written: this.version(item) > 0 && given });
  }

  /** How many of each kind the server has from us, to be compared when the interview is over. */
  counts() {
    const counts = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0]));
    for (const [item, one] of this.saved) {
      const kind = Object.keys(KINDS).find((name) => item.startsWith(`${KINDS[name]}:`));
      if (one.version > 0 && !one.removed) counts[kind] += 1;
    }
    return counts;
  }
}
