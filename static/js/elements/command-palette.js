// <command-palette data-root="ID">: everything that can be pressed below that element now, found by typing and pressed by Enter.
//
// It has no commands of its own: it presses the buttons that are there, so what a key, a finger and a word do is the same.

import { capOf, nameOf } from "../core/button-name.js";
import { Combobox } from "../platform/combobox.js";

const COMMANDS = "[data-command], [data-opens]";

export class CommandPalette extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.list = this.querySelector("[role=listbox]");
    this.count = this.querySelector("[data-words]");
    this.dialog = this.closest("dialog");
    this.combobox = new Combobox(this.input, this.list, { tabInsertsSuggestions: false, firstOptionSelectionMode: "active" });
    // The Enter that ends a composition chooses a word, not a command.
    this.input.addEventListener("keydown", (event) => event.keyCode === 229 && event.stopImmediatePropagation(), { capture: true });
    this.input.addEventListener("focus", () => this.start());
    this.filtering = () => this.filter();
    this.list.addEventListener("combobox-commit", (event) => this.press(event.target));
    this.dialog.addEventListener("close", () => this.stop());
  }

  start() {
    if (this.buttons) return;
    this.buttons = [...this.#possible()];
    this.list.replaceChildren(...this.buttons.map((button, at) => this.#option(button, at)));
    this.input.value = "";
    this.combobox.start();
    this.input.addEventListener("input", this.filtering); // after the combobox's own, which clears what was chosen
    this.filter();
  }

  stop() {
    this.combobox.stop();
    this.input.removeEventListener("input", this.filtering);
    this.list.replaceChildren();
    this.buttons = null;
  }

  // What is visible, and every question where one may jump to it. A row of reasons that is closed is none.
  *#possible() {
    const root = document.getElementById(this.dataset.root);
    for (const button of root.querySelectorAll(COMMANDS)) {
      const jumps = button.closest("#dialog-outline") && this.#leads(root);
      const shown = !button.closest("dialog") && button.checkVisibility({ visibilityProperty: true });
      if (button.dataset.opens === this.dialog.id) continue; // it is open
      if ((jumps || shown) && !button.matches(":disabled, [aria-disabled=true]") && nameOf(button)) yield button;
    }
  }

  #leads(root) {
    return "localLeads" in root.dataset;
  }

  #option(button, at) {
    const option = this.querySelector("template").content.firstElementChild.cloneNode(true);
    option.id = `${this.list.id}-${at}`;
    const group = button.closest("[role=group]")?.getAttribute("aria-label");
    option.querySelector("[data-fill=name]").textContent = nameOf(button);
    option.querySelector("[data-fill=group]").textContent = group ?? "";
    const cap = capOf(button);
    option.querySelector("kbd").textContent = cap;
    option.querySelector("kbd").hidden = !cap;
    return option;
  }

  /** Show what has every typed word; what begins with it stands first. */
  filter() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const options = [...this.list.children].sort((a, b) => a.id.slice(this.list.id.length + 1) - b.id.slice(this.list.id.length + 1));
    const first = (option) => words.length > 0 && option.querySelector("[data-fill=name]").textContent.toLowerCase().startsWith(words[0]);
    for (const option of options) {
      const text = option.textContent.toLowerCase();
      option.hidden = !words.every((word) => text.includes(word));
    }
    this.list.replaceChildren(...options.filter(first), ...options.filter((option) => !first(option)));
    this.combobox.resetSelection();
    this.count.textContent = this.count.dataset.words.replace("{n}", options.filter((option) => !option.hidden).length);
  }

  press(option) {
    const button = this.buttons[Number(option.id.slice(this.list.id.length + 1))];
    this.dialog.close();
    button.click();
  }
}

customElements.define("command-palette", CommandPalette);
