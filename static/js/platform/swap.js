// One fragment, one id, one morph. What a person typed, opened or focused is theirs, and so is what script marked as local.

import { Idiomorph } from "../../vendor/idiomorph.js";

function isDirtyField(node) {
  if (!(node instanceof HTMLElement)) return false;
  if (node.matches("input[type=checkbox], input[type=radio]")) return node.checked !== node.defaultChecked;
  if (node.matches("input, textarea")) return node.value !== node.defaultValue;
  if (node.matches("select")) return [...node.options].some((one) => one.selected !== one.defaultSelected);
  return false;
}

// A panel's fragment carries an empty slot where each person's own mark stands: it says "keep what is there".
const isEmptySlot = (old, fresh) => old.matches?.("[data-slot]") && fresh.matches?.("[data-slot]") && !fresh.hasChildNodes();

const isSameMoment = (old, fresh) =>
  old.localName === "local-time" && fresh.localName === "local-time" &&
  old.querySelector("time")?.dateTime === fresh.querySelector("time")?.dateTime;

const OPTIONS = {
  morphStyle: "outerHTML",
  ignoreActiveValue: true,
  restoreFocus: true,
  callbacks: {
    beforeAttributeUpdated: (name) => !(name.startsWith("data-local") || name === "open"),
    beforeNodeMorphed: (old, fresh) => !(isDirtyField(old) || isEmptySlot(old, fresh) || isSameMoment(old, fresh)),
    beforeNodeRemoved: (old) => !(old instanceof Element && old.hasAttribute("data-local-keep")),
  },
};

/** The elements of some HTML of the server, not yet in the page. */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/**
 * Morph every root element of `html` into the element of its id. Roots that `wanted` denies are left out; one that the page
 * lacks is put at the end of the element that its data-into names, or left out too.
 */
export function swap(html, wanted = () => true) {
  for (const fresh of [...parse(html).children]) {
    const old = fresh.id && document.getElementById(fresh.id);
    if (!wanted(fresh)) continue;
    if (old) morph(old, fresh);
    else if (fresh.dataset.into) document.getElementById(fresh.dataset.into)?.append(fresh);
  }
}

function morph(old, fresh) {
  Idiomorph.morph(old, fresh, OPTIONS);
  const now = document.getElementById(fresh.id);
  if (!now) return;
  globalThis.htmx?.process(now);
  for (const time of now.querySelectorAll("local-time")) time.draw?.();
}

/** A copy of a template's first element, with [data-fill=name] filled and attributes set. */
export function clone(templateId, { fill = {}, set = {} } = {}) {
  const element = document.getElementById(templateId)?.content.firstElementChild?.cloneNode(true);
  if (!element) return null;
  for (const [name, text] of Object.entries(fill)) {
    for (const slot of element.matches(`[data-fill=${name}]`) ? [element] : element.querySelectorAll(`[data-fill=${name}]`)) {
      slot.textContent = text;
    }
  }
  for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
  return element;
}
