// Two dialogs of the tree editor: a new probe, and where to move one. They read the tree and fill their own forms.

import { followUps, placeOf, withAllBelow } from "../core/tree-shape.js";

const textOf = (item) => item.querySelector(".tree__text").textContent.trim();

/** A new probe, below the current one ("add"), above it ("insert"), or the first of all ("first"). */
export class AddDialog {
  constructor(tree, { send, notice }) {
    Object.assign(this, { tree, send, notice });
    this.dialog = document.getElementById("add-dialog");
    this.form = document.getElementById("add-form");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.form.addEventListener("keydown", (event) => {
      const plain = !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229;
      if (event.key !== "Enter" || !plain || !event.target.matches("[data-enter]")) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
  }

  open(how, key) {
    for (const words of this.dialog.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== how;
    const { parent, after, above } = this.form.elements;
    const below = how === "add" ? followUps(this.tree.rows, key) : [];
    parent.value = how === "add" ? key : "";
    after.value = below.at(-1) ?? "";
    above.value = how === "insert" ? key : "";
    document.getElementById("add-where").textContent = key ? textOf(this.tree.item(key)) : "";
    this.notice().replaceChildren();
    const asks = new Set((this.tree.item(key)?.dataset.asks ?? "depth").split(" "));
    for (const aim of this.form.querySelectorAll("[name=aims]")) aim.checked = asks.has(aim.value);
    const usual = how === "add" || this.tree.item(key)?.dataset.parent ? "probe" : "check";
    for (const kind of this.form.querySelectorAll("[name=kind]")) kind.checked = kind.value === usual;
    this.dialog.showModal();
    this.form.querySelector("[data-enter]").focus();
  }

  async submit() {
    if (this.sending) return;
    this.sending = true;
    const done = await this.send(this.form.dataset.send, new FormData(this.form), this.dialog);
    this.sending = false;
    if (!done) return;
    for (const field of this.form.querySelectorAll("[data-enter]")) field.value = "";
    this.dialog.close();
    this.tree.item(this.tree.current)?.focus();
  }
}

/** Any place in the tree, by two lists: the way to move without arrows and without dragging. */
export class MoveDialog {
  constructor(tree, { move }) {
    Object.assign(this, { tree, move });
    this.dialog = document.getElementById("move-dialog");
    this.form = document.getElementById("move-form");
    this.form.elements.parent.addEventListener("change", () => this.#fillAfter());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { parent, after } = this.form.elements;
      this.dialog.close();
      this.move(this.key, { parent: parent.value, after: after.value });
    });
  }

  open(key) {
    const rows = this.tree.rows;
    const own = new Set(withAllBelow(rows, key));
    this.key = key;
    const { parent } = this.form.elements;
    parent.replaceChildren(...rows.filter((row) => !own.has(row.key)).map((row) => this.#option(row.key)));
    const home = placeOf(rows, key);
    parent.value = home.parent;
    this.#fillAfter(home.after);
    this.dialog.showModal();
    parent.focus();
  }

  #fillAfter(chosen) {
    const { parent, after } = this.form.elements;
    const beside = followUps(this.tree.rows, parent.value).filter((key) => key !== this.key);
    const [first] = after.options;
    after.replaceChildren(first, ...beside.map((key) => this.#option(key)));
    after.value = chosen ?? beside.at(-1) ?? "";
  }

  #option(key) {
    const item = this.tree.item(key);
    const option = document.createElement("option");
    const deep = Number(item.getAttribute("aria-level")) - 1;
    option.value = key;
    option.textContent = `${"\u2007\u2007".repeat(deep)}${item.dataset.level} ${textOf(item)}`;
    return option;
  }
}
