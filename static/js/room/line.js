// How the line stands, in one fixed place: from heartbeats, not from what the browser believes of its network.

const SHORT_MS = 2000;
const LONG_MS = 10_000;
const SAY_WAITING_MS = 3000;

export class LineState {
  constructor({ outbox, say, words, when }) {
    Object.assign(this, { outbox, say, words, when });
    this.box = document.getElementById("line");
    this.wait = document.getElementById("line-wait");
    this.alert = document.getElementById("room-alert");
    this.down = null;
    this.said = 0;
    this.alert?.addEventListener("click", (event) => {
      if (event.target.closest("[data-hides]")) this.alert.hidden = true;
    });
  }

  /** "connecting", "live", "waiting" or "closed" from the socket. */
  set(name, code) {
    if (name === "live") {
      if (this.box.dataset.state === "offline") this.say(this.words("online"));
      this.down = null;
      this.#show("live");
    } else if (name === "closed") {
      this.#show("closed");
      this.warn(String(code));
    } else {
      this.tick ??= setInterval(() => this.#age(), 500);
      this.down ??= Date.now();
      return;
    }
    clearInterval(this.tick);
    this.tick = null;
  }

  // A short cut is not shown at all: nothing is lost by it.
  #age() {
    const gone = Date.now() - this.down;
    if (gone > LONG_MS && this.box.dataset.state !== "offline") {
      this.box.querySelector("[data-fill=since]").textContent = this.when(this.down);
      this.#show("offline");
      this.say(this.words("offline"));
    } else if (gone > SHORT_MS && this.box.dataset.state !== "offline") this.#show("waiting");
  }

  #show(state) {
    this.box.dataset.state = state;
  }

  /** One of the bar's prepared sentences, over the bar. */
  warn(name, fill = {}) {
    if (!this.alert) return;
    this.alert.dataset.say = name;
    for (const [key, text] of Object.entries(fill)) this.alert.querySelector(`[data-fill=${key}]`).textContent = text;
    this.alert.hidden = false;
  }

  /** Take a sentence away that no longer holds. */
  calm(...names) {
    if (this.alert && names.includes(this.alert.dataset.say)) this.alert.hidden = true;
  }

  draw() {
    if (!this.wait) return;
    const waiting = this.outbox.waiting;
    this.wait.hidden = waiting === 0;
    for (const name of ["way", "kept"]) this.wait.querySelector(`[data-fill=${name}]`).textContent = waiting;
    if (waiting && !this.said && !this.later) {
      this.later = setTimeout(() => {
        this.later = null;
        if (!this.outbox.waiting) return;
        this.said = this.outbox.waiting;
        this.say(`${this.words("waiting")} ${this.said}`);
      }, SAY_WAITING_MS);
    } else if (!waiting && this.said) {
      this.said = 0;
      this.say(this.words("all_saved"));
    }
  }
}
