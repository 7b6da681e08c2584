// Devices of one seat and a server of the wire's rules, driven at random by a seed: writes, cuts, lost answers, reloads, and
// people who choose in conflicts. Returns what must not be: [] when all is well.
async ([devicesCount, seed, steps]) => {
  const { Outbox } = await import("/static/js/room/outbox.js");
  const { Mine } = await import("/static/js/room/mine.js");
  const { Conflicts } = await import("/static/js/room/conflict.js");
  const faults = [];
  let state = seed;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const pick = (list) => list[random(list.length)];
  const FIELDS = { outcome: ["sustained", "partial", "recited"], aid: ["unaided", "hinted"], confidence: ["low", "high"] };

  const server = { items: new Map(), acks: new Map(), events: [] };
  function serve(device, { id, data }) {
    if (server.acks.has(id)) return { type: "ack", ...server.acks.get(id) };
    const stands = server.items.get(data.asked) ?? { version: 0, by: null, value: {} };
    const { asked, version, ...said } = data;
    if (version !== stands.version) {
      if (stands.by === device.name) faults.push(`${device.name} conflicts with its own queue at version ${version} of ${stands.version}`);
      return { type: "refused", id, code: "stale", message: "", current: { asked, ...stands.value, version: stands.version } };
    }
    server.items.set(asked, { version: version + 1, by: device.name, value: { ...stands.value, ...said } });
    server.events.push({ name: "mark.set", cause: id, data: { ...data, version: version + 1 } });
    const ack = { id, stream: "mine", seq: server.events.length, version: version + 1 };
    server.acks.set(id, ack);
    return { type: "ack", ...ack };
  }

  class Memory {
    constructor() {
      Object.assign(this, { kept: new Map(), n: 0 });
    }
    async add(rows) {
      return rows.map((row) => {
        const one = { ...structuredClone(row), n: ++this.n };
        this.kept.set(one.n, one);
        return one;
      });
    }
    rows = async () => [...this.kept.values()].map((row) => structuredClone(row));
    update = async (rows) => rows.forEach((row) => this.kept.has(row.n) && this.kept.set(row.n, structuredClone(row)));
    remove = async (numbers) => numbers.forEach((n) => this.kept.delete(n));
  }

  class Device {
    constructor(name) {
      Object.assign(this, { name, store: new Memory(), cursor: 0, wire: [], inbox: [], up: false });
      this.open();
    }
    open() {
      this.outbox = new Outbox({
        store: this.store, tabs: { leads: true, tell() {} }, epoch: () => 1, changed() {}, refused() {}, unfit() {},
        send: (frame) => this.up && this.wire.push(structuredClone(frame)),
        acked: (row, frame) => this.mine.acked(row, frame),
        unstored: () => faults.push("unstored"),
      });
      this.mine = new Mine(this.outbox, () => 0);
      const put = (list) => this.outbox.put(list.map((one) => ({ id: crypto.randomUUID(), ...one })));
      this.conflicts = new Conflicts({ mine: this.mine, outbox: this.outbox, put, replaceNote() {} });
      this.put = put;
    }
    write() {
      const field = pick(Object.keys(FIELDS));
      const asked = pick(["one", "two"]);
      const data = { asked, [field]: pick([...FIELDS[field], null]), version: this.mine.next(`mark:${asked}`) };
      return this.put([{ name: "mark.set", data }]);
    }
    cut() {
      Object.assign(this, { up: false, wire: [], inbox: [] });
      this.outbox.lineDown();
    }
    connect() {
      if (this.up) return;
      this.up = true;
      this.outbox.lineUp({});
    }
    // A fresh page: what the server has, and what the disk kept.
    async reload() {
      this.cut();
      await this.outbox.tail;
      this.open();
      this.mine.load({ marks: [...server.items].map(([asked, { version, value }]) => ({ asked, ...value, version })) });
      this.cursor = server.events.length;
      await this.outbox.reload();
    }
    serveOne() {
      const frame = this.wire.shift();
      if (frame) this.inbox.push(serve(this, frame));
    }
    hear() {
      const frame = this.inbox.shift();
      if (frame?.type === "ack") this.outbox.onAck(frame);
      else if (frame) this.outbox.onRefused(frame);
    }
    follow() {
      if (this.up && this.cursor < server.events.length) this.mine.apply(server.events[this.cursor++]);
    }
    choose() {
      const [one] = this.conflicts.open();
      if (one) this.conflicts[pick(["keepMine", "takeSaved"])](one.item);
      return Boolean(one);
    }
  }

  const devices = Array.from({ length: devicesCount }, (_, index) => new Device(`device ${index}`));
  const acts = ["write", "write", "write", "connect", "connect", "serveOne", "serveOne", "hear", "hear", "follow", "follow", "cut", "choose", "reload"];
  for (let step = 0; step < steps; step++) {
    const device = pick(devices);
    await device[pick(acts)]();
    await device.outbox.tail;
  }
  // The lines are back, everything arrives, and every conflict is settled.
  for (let round = 0; round < 400; round++) {
    for (const device of devices) {
      device.connect();
      device.serveOne();
      device.hear();
      device.follow();
      device.choose();
      await device.outbox.tail;
    }
  }
  for (const device of devices) {
    if (device.outbox.rows.length || device.store.kept.size) faults.push(`${device.name} keeps ${JSON.stringify(device.outbox.rows)}`);
    for (const [asked, stands] of server.items) {
      for (const field of Object.keys(FIELDS)) {
        const shown = device.mine.value(`mark:${asked}`)[field] ?? null;
        if (shown !== (stands.value[field] ?? null)) faults.push(`${device.name} shows ${field} ${shown} of ${asked}, the server has ${stands.value[field]}`);
      }
    }
  }
  return faults;
};
