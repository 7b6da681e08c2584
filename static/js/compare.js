// Candidates side by side: goes from row to row, and measures against the row one is at. Words are the table's own.

import "./elements/key-legend.js";
import { announce } from "./platform/announce.js";

const table = document.querySelector("table.compare");
const form = document.getElementById("against-form");
const measure = document.querySelector("[data-row=measure]");
const rows = [...(table?.tBodies[0].rows ?? [])];
const aims = [...(table?.querySelectorAll("thead [data-aim]") ?? [])];
let at = -1;

const link = (row) => row.querySelector("th a");
const codeOf = (row) => link(row).id.replace("c-", "");
const flat = (text) => text.replace(/\s+/g, " ").trim();

/** Whether the row is somebody else with a card, so that the others can be measured against it. */
function measurable(row) {
  const field = form?.elements.against;
  return Boolean(field) && field.value !== codeOf(row) && [...field.options].some(({ value }) => value === codeOf(row));
}

function settle(row) {
  rows[at]?.removeAttribute("aria-current");
  at = rows.indexOf(row);
  row.setAttribute("aria-current", "true");
  if (measure) measure.disabled = !measurable(row);
}

/** What ears hear besides the name, which has the focus: the three dimensions, or why there are none. */
function spoken(row) {
  const full = aims.every(({ cellIndex }) => row.cells[cellIndex]);
  if (!full) return flat(row.cells[row.cells.length - 1].textContent);
  return aims.map(({ cellIndex, dataset }) => flat(`${dataset.aim} ${row.cells[cellIndex].textContent}`)).join(". ");
}

function go(step) {
  const row = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
  link(row).focus();
  announce(spoken(row));
}

const acts = {
  next: () => go(1),
  back: () => go(-1),
  measure() {
    form.elements.against.value = codeOf(rows[at]);
    form.action = `#${link(rows[at]).id}`; // back to this row, on the page that measures against it
    form.requestSubmit();
  },
};

if (rows.length) {
  table.addEventListener("focusin", ({ target }) => {
    const row = target.closest("tbody tr");
    if (row) settle(row);
  });
  document.addEventListener("click", ({ target }) => acts[target.closest("[data-row]")?.dataset.row]?.());
  for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
  const back = rows.find((row) => location.hash === `#${link(row).id}`);
  if (back) link(back).focus();
}
