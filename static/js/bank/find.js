// Search as you type: an input method composes in peace, the key reaches the field, ears hear how much was found.

import { announce } from "../platform/announce.js";

const form = document.getElementById("find");
const field = document.getElementById("find-q");
const found = document.getElementById("found");

// Letters on their way to becoming Han are not what is looked for. htmx listens on this field too, so it must not hear them.
field.addEventListener("input", (event) => {
  if (event.isComposing) event.stopImmediatePropagation();
}, true);
field.addEventListener("compositionend", () => field.dispatchEvent(new Event("input", { bubbles: true })));

// A key "presses" what names it; pressing a field is going there.
field.addEventListener("click", () => field.focus());

// Down from the words to what was found, and back up.
const links = () => [...found.querySelectorAll(".found__title a")];
form.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" || event.target !== field || event.isComposing) return;
  const [first] = links();
  if (!first) return;
  event.preventDefault();
  first.focus();
});
found.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const all = links();
  const at = all.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  (at + step < 0 ? field : (all[at + step] ?? event.target)).focus();
});

found.addEventListener("htmx:afterSwap", () => announce(found.querySelector("[data-said]")?.dataset.said));
