// Where a page stands in its streams. A stream's seq has no holes, so a hole is a loss, and the page starts the line anew.

/** What to do with seq when `seen` was the last one applied: "drop", "apply" or "gap". */
export function step(seen, seq) {
  if (seq <= seen) return "drop";
  return seq === seen + 1 ? "apply" : "gap";
}

/** Epoch and heads from an element's data-epoch and data-head-<stream>; a stream that this seat doesn't hear has none. */
export function readHeads({ dataset }) {
  const heads = {};
  for (const stream of ["all", "panel", "mine"]) {
    const head = dataset[`head${stream[0].toUpperCase()}${stream.slice(1)}`];
    if (head) heads[stream] = Number(head);
  }
  return { epoch: Number(dataset.epoch), heads };
}

export class Cursors {
  constructor({ epoch, heads }) {
    this.epoch = epoch;
    this.seen = { ...heads };
  }

  /** Judge an event and, when it is the next one, count it as applied. */
  take({ stream, seq }) {
    const verdict = step(this.seen[stream] ?? 0, seq);
    if (verdict === "apply") this.seen[stream] = seq;
    return verdict;
  }

  /** A snapshot replaces what was seen. */
  reset({ epoch, heads }) {
    this.epoch = epoch;
    this.seen = { ...heads };
  }

  /** Streams where the server is ahead of us: nothing arrived although the heads say so. */
  behind(heads) {
    return Object.keys(heads ?? {}).filter((stream) => stream in this.seen && heads[stream] > this.seen[stream]);
  }

  /** The query of the socket's address. */
  query() {
    return new URLSearchParams({ v: "1", epoch: String(this.epoch), ...this.seen }).toString();
  }
}
