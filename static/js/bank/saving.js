// What was typed on its way to the server: one request after another, each with what it builds on. Nothing typed is lost:
// no line, and it is tried again; somebody was quicker, and everything waits until a person chose.

const PAUSE_MS = 700;
const RETRY_MS = 4000;

// An answer may take a field out of its form (an aim that goes takes its anchors along); what was typed is sent all the same.
const homes = new WeakMap();

function homeOf(field) {
  if (field.form) homes.set(field, field.form);
  return homes.get(field);
}

const isTick = (field) => field.type === "checkbox" || field.type === "radio";
const group = (field) => [...homeOf(field).querySelectorAll(`[name="${CSS.escape(field.name)}"]`)];

/** What stands in a field now, and what stood there when the server drew it or took it. */
export function valueOf(field) {
  if (field.type === "radio") return group(field).find((one) => one.checked)?.value ?? "";
  return field.type === "checkbox" ? (field.checked ? field.value : "") : field.value;
}

export function baseOf(field) {
  if (field.type === "radio") return group(field).find((one) => one.defaultChecked)?.value ?? "";
  if (field.type === "checkbox") return field.defaultChecked ? field.value : "";
  if (field.localName === "select") return [...field.options].find((one) => one.defaultSelected)?.value ?? "";
  return field.defaultValue;
}

export function setBase(field, value) {
  if (field.type === "radio") for (const one of group(field)) one.defaultChecked = one.value === value;
  else if (field.type === "checkbox") field.defaultChecked = value === field.value;
  else if (field.localName === "select") for (const one of field.options) one.defaultSelected = one.value === value;
  else field.defaultValue = value;
}

function setValue(field, value) {
  if (field.type === "radio") for (const one of group(field)) one.checked = one.value === value;
  else if (isTick(field)) field.checked = value === field.value;
  else field.value = value;
}

// What a person agreed to lose with a field, when it had changed meanwhile.
const agreed = new WeakMap();

/** What is shown in the fields that go with this one, as JSON {name: text}; "" for a field that takes nothing along. */
function along(field) {
  const { takes } = field.dataset;
  if (!takes) return "";
  const going = [...homeOf(field).elements].filter((one) => one.name?.startsWith(takes));
  return agreed.get(field) ?? JSON.stringify(Object.fromEntries(going.map((one) => [one.name, baseOf(one)])));
}

export class Saving {
  /**
   * `ask(url, data)` sends and gives {status, conflict} (status 0: no line) after it has drawn the answer;
   * `changed()` hears that something is on its way or no more; `alert(word)` says "unsaved", "offline" or "choose".
   */
  constructor({ url, ask, changed, alert }) {
    Object.assign(this, { url, ask, changed, alert });
    this.tasks = [];
    this.timers = new Map();
    this.conflict = null;
    this.saved = false;
    window.addEventListener("online", () => this.#run());
    document.addEventListener("visibilitychange", () => document.hidden && this.flush());
    window.addEventListener("beforeunload", (event) => {
      if (this.state !== "saved" && this.state !== "") event.preventDefault();
    });
  }

  /** "unsent", "sent", "saved", "stale", or "" while nothing was edited. */
  get state() {
    if (this.conflict) return "stale";
    if (this.timers.size) return "unsent";
    if (this.tasks.some((task) => !task.reads)) return this.failed ? "unsent" : "sent";
    return this.saved ? "saved" : "";
  }

  show(field, state) {
    const box = field.closest("[data-group]")?.querySelector("[data-save]");
    if (box) box.dataset.state = state;
  }

  /** A field was edited: save it after a pause, or with `now` at once. */
  touch(field, { now = false } = {}) {
    clearTimeout(this.timers.get(field));
    this.timers.delete(field);
    homeOf(field);
    // The panel took the focus, so the field reports its change once more: what is chosen decides what is sent.
    if (this.conflict?.field === field) return this.changed();
    if (valueOf(field) === baseOf(field)) return this.changed();
    this.show(field, "unsent");
    if (now) this.#queue(field);
    else this.timers.set(field, setTimeout(() => this.touch(field, { now: true }), PAUSE_MS));
    this.changed();
  }

  /** Queue what still waits for its pause. */
  flush() {
    for (const field of [...this.timers.keys()]) this.touch(field, { now: true });
  }

  #queue(field) {
    if (this.tasks.some((task) => task.field === field && !task.begun)) return;
    this.#add({ field, run: () => this.#send(field) });
  }

  async #send(field) {
    const value = valueOf(field);
    if (value === baseOf(field)) return true;
    this.show(field, "sent");
    const sent = { probe: homeOf(field).dataset.probe, name: field.name, was: baseOf(field), value, along: along(field) };
    const { status, conflict } = await this.ask(this.url, sent);
    if (status) agreed.delete(field);
    if (status === 200) {
      setBase(field, value);
      this.saved = true;
      if (valueOf(field) === value) this.show(field, "saved");
      else this.touch(field);
    } else if (conflict) {
      this.show(field, "stale");
      this.conflict = { ...conflict, field };
    } else if (status >= 400) {
      this.show(field, "refused");
    } else {
      this.show(field, "unsent");
      return false;
    }
    return true;
  }

  /** Do something that isn't a field; resolves to whether it was accepted. Without a line it is given up, with a word. */
  act(url, data) {
    if (this.conflict) {
      this.alert("choose");
      return Promise.resolve(false);
    }
    this.flush();
    return new Promise((resolve) => {
      const run = async () => {
        const { status, conflict } = await this.ask(url, typeof data === "function" ? data() : data);
        if (status === 200) this.saved = true;
        if (status === 0) this.alert("offline");
        if (conflict) this.conflict = { ...conflict, act: { url, data } };
        resolve(status === 200);
        return true;
      };
      this.#add({ run });
    });
  }

  /** Read something once everything before it has been sent. */
  read(run) {
    this.tasks = this.tasks.filter((task) => !task.reads || task.begun);
    this.#add({ reads: true, run: async () => (await run(), true) });
  }

  #add(task) {
    this.tasks.push(task);
    this.changed();
    this.#run();
  }

  async #run() {
    if (this.running || this.conflict) return;
    this.running = true;
    clearTimeout(this.retry);
    while (this.tasks.length && !this.conflict) {
      const [task] = this.tasks;
      task.begun = true;
      const done = await task.run();
      task.begun = false;
      if (!done) {
        if (!this.failed) this.alert("unsaved");
        this.failed = true;
        this.retry = setTimeout(() => this.#run(), RETRY_MS);
        break;
      }
      this.failed = false;
      this.tasks.shift();
      this.changed();
    }
    this.running = false;
    this.changed();
  }

  // --- a person chose

  /** Mine: write it on top of what is saved now. `again(act)` gives what an act must then build on. */
  async keepMine(again) {
    const { kind, theirs, field, act, key } = this.#settle();
    if (kind === "gone" && !(await this.act(again.restore.url, { ...again.restore.data, probe: key }))) return;
    if (field) {
      if (kind === "field") setBase(field, theirs);
      if (kind === "along") agreed.set(field, theirs);
      this.#queue(field);
    } else if (act) await this.act(act.url, () => again.of(act, kind, theirs));
  }

  takeTheirs() {
    const { kind, theirs, field } = this.#settle();
    if (!field) return this.#run();
    const value = kind === "field" ? theirs : baseOf(field);
    setBase(field, value);
    setValue(field, value);
    this.show(field, "saved");
    this.#run();
  }

  #settle() {
    const { conflict } = this;
    this.conflict = null;
    // It may have been queued again while its save was on its way.
    this.tasks = this.tasks.filter((task) => !task.field || task.field !== conflict.field);
    this.changed();
    return conflict;
  }
}
