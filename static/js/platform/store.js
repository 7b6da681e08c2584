// The outbox on this device: one IndexedDB database a person, commands in the order of acting, deleted only when acknowledged.

import { openDB } from "../../vendor/idb.js";

export class Store {
  /** Open the outbox of `person` for one room and seat; `lost` is called when the database goes away. */
  static async open({ person, room, seat, lost = () => {} }) {
    const db = await openDB(`sounding-${person}`, 1, {
      upgrade(base) {
        base.createObjectStore("commands", { keyPath: "n", autoIncrement: true }).createIndex("place", "place");
        base.createObjectStore("meta");
      },
      terminated: lost,
    });
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
    const transaction = this.db.transaction("commands", "readwrite", { durability: "strict" });
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
    const transaction = this.db.transaction("commands", "readwrite", { durability: "strict" });
    for (const row of rows) {
      transaction.store.getKey(row.n).then((key) => key !== undefined && transaction.store.put({ ...row, place: this.place }));
    }
    await transaction.done;
  }

  async remove(numbers) {
    const transaction = this.db.transaction("commands", "readwrite", { durability: "strict" });
    for (const n of numbers) transaction.store.delete(n);
    await transaction.done;
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
