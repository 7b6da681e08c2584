// Keeps commands until they are acknowledged, and sends them in order: the engine between the store, the line and the tabs.
// Nothing is shown as unsent before it is on the disk, and nothing is deleted before the server has it.

import { delay } from "../core/backoff.js";
import { FRAME_LIMIT, WINDOW, fallsWith, fits, isKept, itemOf, judge, nextToSend, storable } from "../core/delivery.js";
import { ageOf, isOfThisPage, stamp } from "../platform/clock.js";

// Numbers of rows that the store has not numbered yet: after all that it has.
const FIRST_LOOSE = Number.MAX_SAFE_INTEGER - 1e6;

export class Outbox {
  /**
   * store (or null where this browser can't keep anything), tabs, epoch() for the journal; send(frame) -> sent;
   * changed() after every change; acked(row, frame) in every tab; refused(row, frame, verdict); unstored() when keeping
   * fails; unfit() when a text is too long.
   */
  constructor({ store, tabs, epoch, send, changed, acked, refused, unstored, unfit }) {
    Object.assign(this, { store, tabs, epoch, send, changed, acked, refused, unstored, unfit });
    this.rows = [];
    this.inFlight = new Set();
    this.window = WINDOW;
    this.frame = FRAME_LIMIT;
    this.live = false;
    this.pausedUntil = 0;
    this.tail = Promise.resolve();
    this.count = 0;
    this.gone = new Set(); // ids taken out here: a reading of the disk that began earlier must not bring them back
    this.ours = new Map(); // id -> rows changed here that are not on the disk yet
  }

  get waiting() {
    return this.rows.filter((row) => row.status === "queued").length;
  }

  get leads() {
    return this.store ? Boolean(this.tabs?.leads) : true;
  }

  /** Read the disk again: at start, and when another tab changed it. In turn with our own writes, so none is missed. */
  reload() {
    return this.#inTurn(async () => {
      const all = (await this.store?.rows()) ?? [];
      const stored = all.filter((row) => !this.gone.has(row.id));
      for (const id of this.gone) if (!all.some((row) => row.id === id)) this.gone.delete(id);
      const known = new Map(this.rows.map((row) => [row.id, row]));
      const fresh = this.rows.filter((row) => !row.kept);
      const read = stored.map((row) => this.ours.get(row.id) ?? { ...row, kept: true, tried: known.get(row.id)?.tried });
      this.rows = [...read, ...fresh];
      this.changed();
      this.flush();
    });
  }

  // One after the other; a failure is said, and does not stop what comes after.
  #inTurn(work) {
    this.tail = this.tail.then(work).catch(() => this.unstored());
    return this.tail;
  }

  /**
   * Take commands [{id, name, data, extra?}] that belong together. They count at once; they are "unsent" once kept.
   * Null, and nothing taken, when a text is too long.
   */
  put(commands) {
    const said = commands.map((one) => ({ ...one, data: storable(one.data) }));
    if (!said.every((one) => fits(one, this.frame))) {
      this.unfit();
      return null;
    }
    const rows = said.map(({ id, name, data, extra = {} }) => ({
      id, name, data, extra, item: itemOf(name, data, id), status: "queued", attempts: 0, stamp: stamp(),
    }));
    const fresh = rows.map((row, index) => ({ ...row, n: FIRST_LOOSE + this.count + index, kept: false }));
    this.count += fresh.length;
    this.rows.push(...fresh);
    this.changed();
    return this.#inTurn(() => this.#keep(fresh, rows));
  }

  async #keep(fresh, rows) {
    try {
      if (!this.store) throw new Error("no store");
      const stored = await this.store.add(rows);
      for (const [index, row] of fresh.entries()) Object.assign(row, { n: stored[index].n, kept: true });
      this.#tell({ disk: true });
    } catch {
      // Still sent from memory; the page says in red that it can't keep anything.
      for (const row of fresh) row.loose = true;
      this.unstored();
    }
    this.changed();
    this.flush();
  }

  /** The line is up; with `hold` (milliseconds) nothing is sent before release(). */
  lineUp({ window, frame }, hold = 0) {
    this.live = true;
    this.window = window ?? WINDOW;
    this.frame = frame ?? FRAME_LIMIT;
    this.inFlight.clear();
    if (hold) this.pausedUntil = performance.now() + hold;
    this.held = hold > 0;
    this.flush();
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.pausedUntil = 0;
    this.flush();
  }

  lineDown() {
    this.live = false;
    if (this.leads) this.inFlight.clear();
    this.#tell();
    this.changed();
  }

  flush() {
    if (!this.live || !this.leads) return;
    const wait = this.pausedUntil - performance.now();
    if (wait > 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), wait);
      return;
    }
    const ready = this.rows.filter((row) => row.kept || row.loose);
    const chosen = nextToSend(ready, this.inFlight, this.window);
    for (const row of chosen) {
      if (!this.send({ type: "command", id: row.id, name: row.name, data: row.data, age: ageOf(row.stamp) })) break;
      row.tried = true;
      this.inFlight.add(row.id);
    }
    if (chosen.length) this.#tell();
    this.changed();
  }

  /** This tab sends from now on; what another one had on the way is sent again. */
  lead() {
    this.inFlight.clear();
    return this.reload();
  }

  /** What another tab told: that it wrote to the disk, what it has on the way, what the server answered it. */
  hear({ disk, inFlight, acked }) {
    if (!this.leads && inFlight) this.inFlight = new Set(inFlight);
    if (acked) {
      this.gone.add(acked.row.id);
      this.rows = this.rows.filter((row) => row.id !== acked.row.id);
      this.acked(acked.row, acked.frame);
    }
    return disk ? this.reload() : this.changed();
  }

  #tell(more = {}) {
    this.tabs?.tell({ ...(this.leads ? { inFlight: [...this.inFlight] } : {}), ...more });
  }

  onAck(frame) {
    const row = this.#settle(frame.id);
    if (!row) return;
    const { id, name, data, extra, item, stamp: made } = row;
    const said = { id, name, data, extra, item, stamp: made };
    this.#tell({ acked: { row: said, frame } });
    this.#drop([row], item ? [{ epoch: this.epoch(), stream: "ack", seq: row.n, row: said, frame }] : []);
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
    const keep = group.filter(isKept);
    for (const one of keep) {
      Object.assign(one, {
        status: verdict === "stale" && one.item === row.item ? "stale" : "refused",
        refusal: { code: frame.code, message: frame.message, current: frame.current ?? null },
      });
    }
    this.#save(keep);
    this.#drop([...group.filter((one) => !isKept(one)), ...(verdict === "drop" ? [row] : [])]);
  }

  /** Take rows out for good: discarded by hand, or replaced by another command. */
  discard(rows) {
    this.#drop(rows);
    this.changed();
  }

  /** Replace the text of a note that can't have been on its way, so that typing off line keeps one row, not hundreds. */
  amend(row, given) {
    const data = storable(given);
    if (row.tried || !row.kept || !this.leads || !isOfThisPage(row.stamp) || !fits({ ...row, data }, this.frame)) return false;
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
    const ours = rows.filter((row) => row.kept);
    if (!ours.length) return;
    for (const row of ours) this.ours.set(row.id, row);
    this.#inTurn(async () => {
      await this.store.update(ours.map(({ kept: _kept, loose: _loose, tried: _tried, ...row }) => row));
      for (const row of ours) this.ours.delete(row.id);
      this.#tell({ disk: true });
    });
  }

  #drop(rows, journal = []) {
    for (const row of rows) this.gone.add(row.id);
    this.rows = this.rows.filter((row) => !this.gone.has(row.id));
    const numbers = rows.filter((row) => row.kept).map((row) => row.n);
    this.#inTurn(async () => {
      if (numbers.length) await this.store.remove(numbers, journal);
      for (const row of rows) this.gone.delete(row.id);
      if (numbers.length) this.#tell({ disk: true });
    });
  }
}
