// What this device keeps, one IndexedDB database a person: the outbox, commands in the order of acting, deleted only when
// acknowledged; and the journal, what the server said since the page was drawn, so that a copy of it opens as it was left.

import { deleteDB, openDB } from "../../vendor/idb.js";

const STRICT = { durability: "strict" };
const NAME = "sounding-";
export const PAGES = "sounding-pages-"; // the service worker's, one a person

function open(person, lost = () => {}) {
  return openDB(NAME + person, 2, {
    upgrade(base, old) {
      if (old < 1) {
        base.createObjectStore("commands", { keyPath: "n", autoIncrement: true }).createIndex("place", "place");
        base.createObjectStore("meta");
      }
      if (old < 2) base.createObjectStore("journal", { keyPath: ["place", "stream", "seq"] });
    },
    terminated: lost,
  });
}

export class Store {
  /** Open what `person` keeps for one room and seat; `lost` is called when the database goes away. */
  static async open({ person, room, seat, lost = () => {} }) {
    const db = await open(person, lost);
    // An old page open over a deploy must not keep a newer one from starting.
    db.addEventListener("versionchange", () => db.close());
    globalThis.navigator.storage?.persist?.().catch(() => {});
    return new Store(db, `${room}/${seat}`);
  }

  constructor(db, place) {
    this.db = db;
    this.place = place;
  }

  /** Keep commands, all or none; resolves once they are on the disk. Nothing else is awaited inside the transaction. */
  async add(rows) {
    const transaction = this.db.transaction("commands", "readwrite", STRICT);
    const keys = rows.map((row) => transaction.store.add({ ...row, place: this.place }));
    await transaction.done;
    return Promise.all(keys.map(async (key, index) => ({ ...rows[index], place: this.place, n: await key })));
  }

  /** All rows of this room and seat, in order. */
  async rows() {
    const rows = await this.db.getAllFromIndex("commands", "place", this.place);
    return rows.sort((a, b) => a.n - b.n);
  }

  /** Change rows that still exist. */
  async update(rows) {
    const transaction = this.db.transaction("commands", "readwrite", STRICT);
    for (const row of rows) {
      transaction.store.getKey(row.n).then((key) => key !== undefined && transaction.store.put({ ...row, place: this.place }));
    }
    await transaction.done;
  }

  /** Delete rows by number; `acked`, journal entries of what the server has instead, in the same transaction. */
  async remove(numbers, acked = []) {
    const transaction = this.db.transaction(["commands", "journal"], "readwrite", STRICT);
    for (const n of numbers) transaction.objectStore("commands").delete(n);
    for (const one of acked) transaction.objectStore("journal").put({ ...one, place: this.place });
    await transaction.done;
  }

  /** Write down what the server said: {epoch, stream, seq, frame}, or {epoch, stream: "ack", seq: n, row, frame}. */
  async note(entry) {
    await this.db.put("journal", { ...entry, place: this.place });
  }

  /** What was written down beyond these heads, events before acks; what the page has already is thrown away. */
  async journal({ epoch, heads }) {
    const all = await this.db.getAll("journal", IDBKeyRange.bound([this.place], [this.place, []]));
    const old = all.filter((one) => one.epoch !== epoch || one.frame.seq <= (heads[one.frame.stream] ?? 0));
    const transaction = this.db.transaction("journal", "readwrite");
    for (const { place, stream, seq } of old) transaction.store.delete([place, stream, seq]);
    await transaction.done;
    const isAck = (one) => Number(one.stream === "ack");
    return all.filter((one) => !old.includes(one)).sort((a, b) => isAck(a) - isAck(b) || a.seq - b.seq);
  }

  async forgetJournal() {
    await this.db.delete("journal", IDBKeyRange.bound([this.place], [this.place, []]));
  }

  recall(key) {
    return this.db.get("meta", key);
  }

  remember(key, value) {
    return this.db.put("meta", value, key);
  }

  /** This browser's name for the server, made once. */
  async device() {
    const transaction = this.db.transaction("meta", "readwrite");
    let device = await transaction.store.get("device");
    if (!device) {
      device = crypto.randomUUID();
      transaction.store.put(device, "device");
    }
    await transaction.done;
    return device;
  }
}

/** What this device keeps for its people, as pages outside of rooms look at it. */
export class Device {
  /** Everybody that this browser keeps something for. */
  static async people() {
    const bases = await indexedDB.databases();
    return bases.map(({ name }) => name).filter((name) => name.startsWith(NAME)).map((name) => name.slice(NAME.length));
  }

  static async #with(person, work) {
    if (!(await Device.people()).includes(person)) return null;
    const db = await open(person);
    db.addEventListener("versionchange", () => db.close());
    try {
      return await work(db);
    } finally {
      db.close();
    }
  }

  /** Commands of a person that the server has not accepted: [{place: "<room>/<seat>", status, ...}]. */
  static async unsent(person) {
    return (await Device.#with(person, (db) => db.getAll("commands"))) ?? [];
  }

  /** Take away all copies of a person, and everything where nothing is unsent. Unsent commands are never touched. */
  static async clear(person) {
    await caches.delete(PAGES + person);
    const empty = await Device.#with(person, async (db) => {
      await db.clear("journal");
      for (const key of await db.getAllKeys("meta")) if (key !== "device") await db.delete("meta", key);
      return (await db.count("commands")) === 0;
    });
    if (empty) await deleteDB(NAME + person);
  }

  /** Codes of the rooms that something is kept of. */
  static async rooms(person) {
    const pages = (await caches.has(PAGES + person)) ? await (await caches.open(PAGES + person)).keys() : [];
    const noted = (await Device.#with(person, (db) => db.getAllKeys("journal"))) ?? [];
    return [...new Set([...pages.map(({ url }) => new URL(url).pathname.split("/")[2]), ...noted.map(([place]) => place.split("/")[0])])];
  }

  /** Forget one room: its page, and what was written down of it. */
  static async forget(person, code) {
    const pages = await caches.open(PAGES + person);
    for (const request of await pages.keys()) if (request.url.includes(code)) await pages.delete(request);
    await Device.#with(person, async (db) => {
      for (const key of await db.getAllKeys("journal")) if (key[0].startsWith(`${code}/`)) await db.delete("journal", key);
      for (const key of await db.getAllKeys("meta")) if (String(key).includes(code)) await db.delete("meta", key);
    });
  }
}
