// Keeps commands until they are acknowledged, and sends them in order: the engine between the store, the line and the tabs.
// Nothing is shown as unsent before it is on the disk, and nothing is deleted before the server has it.

import { WINDOW, fallsWith, isKept, itemOf, judge, nextToSend } from "../core/delivery.js";
import { delay } from "../core/backoff.js";
import { ageOf, isOfThisPage, stamp } from "../platform/clock.js";

// Numbers of rows that the store has not numbered yet: after all that it has.
const FIRST_LOOSE = Number.MAX_SAFE_INTEGER - 1e6;

export class Outbox {
  /**
   * store (or null where this browser can't keep anything), tabs, send(frame) -> sent;
   * changed() after every change; acked(row, frame); refused(row, frame, verdict); unstored() once.
   */
  constructor({ store, tabs, send, changed, acked, refused, unstored }) {
    Object.assign(this, { store, tabs, send, changed, acked, refused, unstored });
    this.rows = [];
    this.inFlight = new Set();
    this.window = WINDOW;
    this.live = false;
    this.pausedUntil = 0;
    this.tail = Promise.resolve();
    this.count = 0;
  }

  /** Rows that are safely kept: what save states speak of. */
  get kept() {
    return this.rows.filter((row) => row.kept);
  }

  get waiting() {
    return this.rows.filter((row) => row.status === "queued").length;
  }

  /** Read the disk again: at start, and when another tab changed it. In turn with our own writes, so none is missed. */
  reload() {
    this.tail = this.tail.then(async () => {
      const stored = (await this.store?.rows()) ?? [];
      const known = new Map(this.rows.map((row) => [row.id, row]));
      const fresh = this.rows.filter((row) => !row.kept);
      this.rows = [...stored.map((row) => ({ ...row, kept: true, tried: known.get(row.id)?.tried })), ...fresh];
      this.changed();
      this.flush();
    });
    return this.tail;
  }

  /** Take commands [{id, name, data, extra?}] that belong together. They count at once; they are "unsent" once kept. */
  put(commands) {
    const rows = commands.map(({ id, name, data, extra = {} }) => ({
      id, name, data, extra, item: itemOf(name, data, id), status: "queued", attempts: 0, stamp: stamp(),
    }));
    const fresh = rows.map((row, index) => ({ ...row, n: FIRST_LOOSE + this.count + index, kept: false }));
    this.count += fresh.length;
    this.rows.push(...fresh);
    this.changed();
    this.tail = this.tail.then(() => this.#keep(fresh, rows));
    return this.tail;
  }

  async #keep(fresh, rows) {
    try {
      if (!this.store) throw new Error("no store");
      const stored = await this.store.add(rows);
      for (const [index, row] of fresh.entries()) Object.assign(row, { n: stored[index].n, kept: true });
      this.tabs?.tell();
    } catch {
      // Still sent from memory; the page says in red that it can't keep anything.
      for (const row of fresh) row.loose = true;
      this.unstored();
    }
    this.changed();
    this.flush();
  }

  lineUp({ window }) {
    this.live = true;
    this.window = window ?? WINDOW;
    this.inFlight.clear();
    this.flush();
  }

  lineDown() {
    this.live = false;
    this.inFlight.clear();
    this.changed();
  }

  flush() {
    const sends = this.store ? this.tabs?.leads : true;
    if (!this.live || !sends) return;
    const wait = this.pausedUntil - performance.now();
    if (wait > 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), wait);
      return;
    }
    const ready = this.rows.filter((row) => row.kept || row.loose);
    for (const row of nextToSend(ready, this.inFlight, this.window)) {
      if (!this.send({ type: "command", id: row.id, name: row.name, data: row.data, age: ageOf(row.stamp) })) break;
      row.tried = true;
      this.inFlight.add(row.id);
    }
    this.changed();
  }

  onAck(frame) {
    const row = this.#settle(frame.id);
    if (!row) return;
    this.#drop([row]);
    this.acked(row, frame);
    this.flush();
  }

  onRefused(frame) {
    const row = this.#settle(frame.id);
    if (!row) return;
    const verdict = judge({ ...row, attempts: row.attempts + 1 }, frame.code, this.rows);
    if (verdict === "wait") {
      row.attempts += frame.code === "server_error" ? 1 : 0;
      this.pausedUntil = performance.now() + (frame.after ? frame.after * 1000 : delay(row.attempts));
      this.#save([row]);
    } else if (verdict !== "again") {
      this.#fall(row, frame, verdict);
    }
    this.refused(row, frame, verdict);
    this.flush();
  }

  // What depended on it goes with it, the rest flows on. Those on their way get their own answer.
  #fall(row, frame, verdict) {
    const others = fallsWith(row, this.rows).filter((one) => !this.inFlight.has(one.id));
    const group = verdict === "drop" ? others : [row, ...others];
    const keep = group.filter((one) => isKept(one.name));
    for (const one of keep) {
      Object.assign(one, {
        status: verdict === "stale" && one.item === row.item ? "stale" : "refused",
        refusal: { code: frame.code, message: frame.message, current: frame.current ?? null },
      });
    }
    this.#save(keep);
    this.#drop([...group.filter((one) => !isKept(one.name)), ...(verdict === "drop" ? [row] : [])]);
  }

  /** Take rows out for good: discarded by hand, or replaced by another command. */
  discard(rows) {
    this.#drop(rows);
    this.changed();
  }

  /** Replace the text of a note that can't have been on its way, so that typing off line keeps one row, not hundreds. */
  amend(row, data) {
    if (row.tried || !row.kept || !this.tabs?.leads || !isOfThisPage(row.stamp)) return false;
    row.data = data;
    this.#save([row]);
    this.changed();
    return true;
  }

  #settle(id) {
    this.inFlight.delete(id);
    return this.rows.find((row) => row.id === id);
  }

  #save(rows) {
    const kept = rows.filter((row) => row.kept).map(({ kept: _kept, loose: _loose, tried: _tried, ...row }) => row);
    if (kept.length) this.tail = this.tail.then(() => this.store.update(kept)).then(() => this.tabs?.tell(), this.unstored);
  }

  #drop(rows) {
    const gone = new Set(rows);
    this.rows = this.rows.filter((row) => !gone.has(row));
    const numbers = rows.filter((row) => row.kept).map((row) => row.n);
    if (numbers.length) this.tail = this.tail.then(() => this.store.remove(numbers)).then(() => this.tabs?.tell(), this.unstored);
  }
}
