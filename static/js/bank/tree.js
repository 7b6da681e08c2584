// The tree as a widget: one item is current, arrows go through it, letters find. It knows rows, nothing of what is sent.

import { depths, find, followUps, levels, visible } from "../core/tree-shape.js";

const TYPING_MS = 700;

const set = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};

export class Tree {
  /** `chosen(key)` is called when another item becomes current; `press(event, typing)` may take a key before the tree does. */
  constructor(element, { chosen, press }) {
    Object.assign(this, { element, chosen, press });
    this.folded = new Set();
    this.current = "";
    this.typed = "";
    element.addEventListener("keydown", (event) => this.#onKey(event));
    element.addEventListener("click", (event) => {
      const row = event.target.closest("[role=treeitem]");
      if (row) this.choose(row.dataset.key);
    });
    element.addEventListener("dblclick", (event) => {
      const row = event.target.closest("[role=treeitem]");
      if (row) this.fold(row.dataset.key, !this.folded.has(row.dataset.key));
    });
  }

  get items() {
    return [...this.element.querySelectorAll(":scope > [role=treeitem]")];
  }

  /** The rows as the tree shows them now: [{key, parent, keeps}]. */
  get rows() {
    return this.items.map(({ dataset }) => ({ key: dataset.key, parent: dataset.parent, keeps: "keeps" in dataset }));
  }

  item(key) {
    return document.getElementById(`row-${key}`);
  }

  /** Take a row that the server drew. It keeps its element, and so the focus: a morph would pass over a focused one. */
  put(fresh) {
    const old = this.item(fresh.dataset.key);
    if (!old) return this.element.append(fresh);
    for (const name of ["parent", "level", "print", "asks"]) old.dataset[name] = fresh.dataset[name];
    old.toggleAttribute("data-keeps", "keeps" in fresh.dataset);
    old.replaceChildren(...fresh.childNodes);
  }

  /** Bring levels, places and what is hidden to what the rows say. */
  draw() {
    const rows = this.rows;
    const depth = depths(rows);
    const level = levels(rows);
    const shown = new Set(visible(rows, this.folded));
    if (!shown.has(this.current)) this.current = this.#nearest(rows, shown);
    const beside = Map.groupBy(rows, (row) => row.parent);
    for (const element of this.items) {
      const { key, parent } = element.dataset;
      const siblings = beside.get(parent);
      const deep = depth.get(key);
      set(element, "class", `tree__row tree__row--${deep}`);
      set(element, "aria-level", String(deep + 1));
      set(element, "aria-setsize", String(siblings.length));
      set(element, "aria-posinset", String(siblings.findIndex((row) => row.key === key) + 1));
      set(element, "aria-selected", String(key === this.current));
      set(element, "tabindex", key === this.current ? "0" : "-1");
      if (beside.has(key)) set(element, "aria-expanded", String(!this.folded.has(key)));
      else element.removeAttribute("aria-expanded");
      if (element.hidden === shown.has(key)) element.hidden = !shown.has(key);
      const number = element.querySelector("[data-level-shown]");
      if (number && number.textContent !== String(level.get(key))) number.textContent = level.get(key);
    }
  }

  #nearest(rows, shown) {
    let { current } = this;
    while (current && !shown.has(current)) current = rows.find((row) => row.key === current)?.parent ?? "";
    return current || (rows[0]?.key ?? "");
  }

  /** Make an item current, and open what it is folded into. */
  choose(key, { focus = false } = {}) {
    if (!this.item(key)) return;
    const rows = this.rows;
    for (let up = rows.find((row) => row.key === key)?.parent; up; up = rows.find((row) => row.key === up)?.parent) {
      this.folded.delete(up);
    }
    const other = key !== this.current;
    this.current = key;
    this.draw();
    const item = this.item(key);
    if (focus) item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
    if (other) this.chosen(key);
  }

  fold(key, folded) {
    if (!followUps(this.rows, key).length) return;
    if (folded) this.folded.add(key);
    else this.folded.delete(key);
    this.draw();
  }

  /** "3 of 5, level 2", from the words of the page. */
  place(words, key = this.current) {
    const rows = this.rows;
    const row = rows.find((one) => one.key === key);
    if (!row) return "";
    const beside = followUps(rows, row.parent);
    const values = { at: beside.indexOf(key) + 1, of: beside.length, level: levels(rows).get(key) };
    return words.replace(/{(\w+)}/g, (_, name) => values[name]);
  }

  #onKey(event) {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    const key = event.target.closest("[role=treeitem]")?.dataset.key;
    if (!key) return;
    if (this.press(event, this.typed !== "") || this.#go(event, key) || this.#type(event)) event.preventDefault();
  }

  #go(event, key) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const rows = this.rows;
    const shown = visible(rows, this.folded);
    const at = shown.indexOf(key);
    const below = followUps(rows, key);
    const parent = rows.find((row) => row.key === key).parent;
    const ways = {
      ArrowDown: () => shown[at + 1],
      ArrowUp: () => shown[at - 1],
      Home: () => shown[0],
      End: () => shown.at(-1),
      ArrowRight: () => (this.folded.has(key) ? this.fold(key, false) : below[0]),
      ArrowLeft: () => (below.length && !this.folded.has(key) ? this.fold(key, true) : parent),
    };
    if (!(event.key in ways)) return false;
    const next = ways[event.key]();
    if (next) this.choose(next, { focus: true });
    return true;
  }

  #type(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return false;
    if (event.key === " " && !this.typed) return false;
    this.typed += event.key;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => (this.typed = ""), TYPING_MS);
    const shown = new Set(visible(this.rows, this.folded));
    const texts = this.items
      .filter((item) => shown.has(item.dataset.key))
      .map((item) => ({ key: item.dataset.key, text: item.querySelector(".tree__text").textContent.trim() }));
    const found = find(texts, this.current, this.typed);
    if (found) this.choose(found, { focus: true });
    return true;
  }

  /** Put the rows into an order of keys; those that aren't in it go. Focus stays where it was. */
  arrange(keys) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const wanted = new Set(keys);
    for (const item of this.items) if (!wanted.has(item.dataset.key)) item.remove();
    let next = this.element.firstElementChild;
    for (const key of keys) {
      const item = this.item(key);
      if (!item) continue;
      if (item === next) next = next.nextElementSibling;
      else if (this.element.moveBefore && item.parentNode === this.element) this.element.moveBefore(item, next);
      else this.element.insertBefore(item, next);
    }
    this.draw();
    if (focused !== null && !this.element.contains(document.activeElement)) this.item(this.current)?.focus({ preventScroll: true });
  }
}
