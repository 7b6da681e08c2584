// Somebody was quicker: the panel that asks what stays takes the focus, and gives it back once a person chose.

const PAUSE_MS = 600; // whoever types isn't called away in the middle: their next letter would choose

export class ConflictFocus {
  /** `box()` gives the panel; `stays(element)` whether focus may go back there; `otherwise()` focuses what is there instead. */
  constructor({ box, stays, otherwise }) {
    Object.assign(this, { box, stays, otherwise });
    this.typed = { field: null, at: 0 };
    document.addEventListener("input", ({ target }) => this.#note(target));
    document.addEventListener("compositionstart", () => (this.composing = true));
    document.addEventListener("compositionend", ({ target }) => {
      this.composing = false;
      this.#note(target);
      if (this.waits) this.ask();
    });
  }

  #note(field) {
    this.typed = { field, at: performance.now() };
  }

  /** Move the focus to the panel: at once, or as soon as nobody types, composes or is asked something else. */
  ask() {
    clearTimeout(this.timer);
    this.waits = true;
    // A dialog that the conflict closes gives its own focus back first.
    this.timer = setTimeout(() => this.#take());
  }

  #take() {
    if (this.composing) return;
    const dialog = document.querySelector("dialog:modal");
    if (dialog) return dialog.addEventListener("close", () => this.waits && this.ask(), { once: true });
    const now = document.activeElement;
    const rest = now === this.typed.field ? this.typed.at + PAUSE_MS - performance.now() : 0;
    if (rest > 0) {
      this.timer = setTimeout(() => this.#take(), rest);
      return;
    }
    this.waits = false;
    if (this.box().contains(now)) return;
    this.home = now;
    this.box().focus();
  }

  /** A person chose: take the panel away by `clear`, and bring focus back to where it was. */
  settle(clear) {
    clearTimeout(this.timer);
    this.waits = false;
    const inside = this.box().contains(document.activeElement);
    const { home } = this;
    this.home = null;
    clear();
    if (!inside) return;
    if (home?.isConnected && home !== document.body && this.stays(home)) home.focus();
    else this.otherwise();
  }
}
