// Moving a probe: lifted, aimed, dropped or put back. Keys and pointer drive the same machine.

import { mayStand, moved, placeOf, samePlace, step } from "../core/tree-shape.js";

const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };
const DRAG_PX = 6;

export class Moving {
  /** `send(key, was, to)` says whether it went through; `say(word, place)` tells ears: "moving", "back", "noWay". */
  constructor(tree, { send, say }) {
    Object.assign(this, { tree, send, say });
    this.lifted = null;
    const { element } = tree;
    element.addEventListener("pointerdown", (event) => this.#press(event));
    document.addEventListener("keyup", (event) => event.key === "Alt" && this.byKeys && this.drop());
    window.addEventListener("blur", () => this.byKeys && this.drop());
  }

  // --- the machine

  lift(key) {
    if (this.lifted) return;
    const rows = this.tree.rows;
    this.lifted = { key, rows, home: placeOf(rows, key), place: placeOf(rows, key) };
    this.tree.item(key).toggleAttribute("data-local-lifted", true);
  }

  /** Show the lifted probe at another place. */
  aim(place) {
    const { key, rows } = this.lifted;
    this.lifted.place = place;
    this.tree.item(key).dataset.parent = place.parent;
    this.tree.folded.delete(place.parent);
    this.tree.arrange(moved(rows, key, place).map((row) => row.key));
    this.tree.item(key).scrollIntoView({ block: "nearest" });
  }

  async drop() {
    const { key, home, place } = this.lifted ?? {};
    this.#clear();
    if (!key || samePlace(home, place)) return;
    if (!(await this.send(key, home, place))) this.back(key, home);
  }

  cancel() {
    if (!this.lifted) return false;
    this.aim(this.lifted.home);
    this.#clear();
    this.say("back");
    return true;
  }

  #clear() {
    const { key } = this.lifted ?? {};
    this.lifted = null;
    this.byKeys = false;
    if (key) this.tree.item(key)?.removeAttribute("data-local-lifted");
  }

  /** It was not accepted: it stands where it stood. */
  back(key, home) {
    const rows = this.tree.rows;
    if (!this.tree.item(key) || !rows.some((row) => row.key === home.parent) || !mayStand(rows, key, home)) return;
    this.tree.item(key).dataset.parent = home.parent;
    this.tree.arrange(moved(rows, key, home).map((row) => row.key));
  }

  // --- keys: Alt and arrows; letting go of Alt drops, Esc puts back

  /** Take a key press in the tree; true when it was one of ours. */
  key(event, key) {
    if (event.key === "Escape") return this.cancel();
    if (!event.altKey || event.ctrlKey || event.metaKey || !(event.key in WAYS)) return false;
    if (this.lifted && !this.byKeys) return true;
    this.lift(key);
    this.byKeys = true;
    this.#step(WAYS[event.key]);
    return true;
  }

  /** A press of a button: one step, dropped at once. */
  async once(key, way) {
    if (this.lifted) return;
    this.lift(key);
    this.#step(way);
    await this.drop();
  }

  #step(way) {
    const { key, rows, place } = this.lifted;
    const next = step(moved(rows, key, place), key, way);
    if (!next) return this.say("noWay");
    this.aim(next);
    this.say("moving", key);
  }

  /** Straight to a place, as chosen in the dialog. */
  async to(key, place) {
    this.lift(key);
    if (!mayStand(this.lifted.rows, key, place)) return this.#clear();
    this.aim(place);
    await this.drop();
  }

  // --- the pointer: a line shows where it would go, letting go moves it

  #press(event) {
    const row = event.target.closest("[role=treeitem]");
    // A finger scrolls; there is the dialog for it.
    if (!row?.dataset.parent || event.button !== 0 || event.pointerType === "touch" || this.lifted) return;
    const start = { x: event.clientX, y: event.clientY };
    const stop = new AbortController();
    const on = (name, heard, target = document) => target.addEventListener(name, heard, { signal: stop.signal });
    const end = (drop) => {
      stop.abort();
      this.#dragged(drop);
    };
    on("pointermove", (move) => this.#drag(row.dataset.key, move, start));
    on("pointerup", () => end(true));
    on("pointercancel", () => end(false));
    on("keydown", (key) => key.key === "Escape" && this.lifted && end(false));
  }

  #drag(key, { clientX, clientY }, start) {
    if (!this.lifted) {
      if (Math.hypot(clientX - start.x, clientY - start.y) < DRAG_PX) return;
      this.lift(key);
      this.tree.element.toggleAttribute("data-local-drag", true);
    }
    const over = document.elementFromPoint(clientX, clientY)?.closest("[role=treeitem]");
    this.#mark(null);
    this.aimed = over && this.tree.element.contains(over) ? this.#at(over, clientY) : null;
    if (this.aimed) this.#mark(over, this.aimed.where);
  }

  /** Upper part of a row: before it; lower: after it; between: inside, last. */
  #at(over, y) {
    const { top, height } = over.getBoundingClientRect();
    const part = (y - top) / height;
    const { rows, key } = this.lifted;
    const target = over.dataset.key;
    const where = !over.dataset.parent || (part > 0.3 && part < 0.7) ? "inside" : part <= 0.3 ? "before" : "after";
    const rest = rows.filter((row) => row.key !== key);
    const last = rest.filter((row) => row.parent === target).at(-1)?.key ?? "";
    const beside = placeOf(rest, target);
    const place = { inside: { parent: target, after: last }, before: beside, after: { parent: beside.parent, after: target } }[where];
    return mayStand(rows, key, place) ? { place, where } : null;
  }

  #mark(row, where) {
    this.tree.element.querySelector("[data-local-drop]")?.removeAttribute("data-local-drop");
    row?.setAttribute("data-local-drop", where);
  }

  #dragged(drop) {
    this.#mark(null);
    this.tree.element.removeAttribute("data-local-drag");
    if (!this.lifted) return;
    if (!drop || !this.aimed) return void this.cancel();
    this.aim(this.aimed.place);
    this.tree.choose(this.lifted.key);
    this.drop();
  }
}
