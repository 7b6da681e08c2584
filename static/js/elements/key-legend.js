// <key-legend data-root="ID">: the keys of the visible buttons below that element, in the order of a keyboard.

import { capOf, nameOf } from "../core/button-name.js";

const ROWS = "?0123456789-+=qwertyuiop[]asdfghjkl;zxcvbnm,./";

const place = (key) => {
  const at = ROWS.indexOf(key.toLowerCase());
  return at < 0 ? ROWS.length : at;
};

export class KeyLegend extends HTMLElement {
  connectedCallback() {
    // Drawn when it comes into sight, so that it shows what can be pressed now.
    this.watch = new ResizeObserver(() => this.checkVisibility() && this.draw());
    this.watch.observe(this.parentElement);
  }

  disconnectedCallback() {
    this.watch?.disconnect();
  }

  draw() {
    const root = document.getElementById(this.dataset.root) ?? document.body;
    const found = new Map();
    for (const button of root.querySelectorAll("[aria-keyshortcuts]")) {
      if (button.closest("dialog") || !(button.checkVisibility() || button.closest("[data-sequence]"))) continue;
      const sequence = button.closest("[data-sequence]");
      const lead = sequence && root.querySelector(`[data-command="${sequence.dataset.sequence}.open"]`)?.getAttribute("aria-keyshortcuts");
      const key = button.getAttribute("aria-keyshortcuts").split(" ")[0];
      if (key === "Escape") continue; // leaves things everywhere: not worth a row
      const name = nameOf(button);
      if (key && name) found.set(`${lead ?? ""} ${key}`, { keys: [lead, capOf(button)].filter(Boolean), name });
    }
    const sorted = [...found.values()].sort((a, b) => a.keys.length - b.keys.length || place(a.keys.at(-1)) - place(b.keys.at(-1)));
    const list = document.createElement("ul");
    list.className = "keys";
    for (const { keys, name } of sorted) {
      const row = document.createElement("li");
      row.className = "keys__one";
      for (const key of keys) {
        const cap = document.createElement("kbd");
        cap.className = "kbd--always";
        cap.textContent = key;
        row.append(cap);
      }
      row.append(name);
      list.append(row);
    }
    if (this.firstElementChild?.innerHTML !== list.innerHTML) this.replaceChildren(list);
  }
}

customElements.define("key-legend", KeyLegend);
