// The form of a plan: rows are moved by their grip, and a move by a button is told to ears. The rest is the server's.

import { announce } from "./platform/announce.js";

let held = null; // the row under the pointer

const rowAt = (y) => [...held.parentElement.children].find((row) => row !== held && y < middle(row));
const middle = (row) => row.getBoundingClientRect().top + row.offsetHeight / 2;

document.addEventListener("pointerdown", (event) => {
  const grip = event.button === 0 && event.target.closest("[data-grip]");
  if (!grip) return;
  held = grip.closest("li");
  held.dataset.localHeld = "";
  grip.setPointerCapture(event.pointerId);
  event.preventDefault();
});

document.addEventListener("pointermove", (event) => {
  if (!held) return;
  const next = rowAt(event.clientY) ?? null;
  if (next !== held.nextElementSibling) held.parentElement.insertBefore(held, next);
});

function drop() {
  if (!held) return;
  delete held.dataset.localHeld;
  held = null;
}

document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

document.addEventListener("htmx:afterSwap", (event) => {
  const trees = document.getElementById("plan-trees");
  if (event.detail.target?.id === "plan-trees" && trees?.dataset.said) announce(trees.dataset.said);
});
