// A key presses a visible button. Which key, whether it may, and which button: everything here is told, nothing is global.
//
// A button says its key itself, in aria-keyshortcuts, so remapping is the server drawing another letter.

const LETTER = /^[\x21-\x7e]$/;
const TYPES_WITHOUT_TEXT = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "file", "color", "image"]);
const CODES = {
  BracketLeft: "[", BracketRight: "]", Slash: "/", Period: ".", Comma: ",", Minus: "-", Equal: "=", Semicolon: ";",
};

/** The key in one spelling: "a", "?", "Enter", "Control+Enter"; null where a plain key makes no sense. */
export function keyOf(event) {
  let key = event.key ?? "";
  if (key.length === 1 && !LETTER.test(key) && key !== " ") {
    // Another script's layout: what stands on the same place of the keyboard.
    const code = event.code ?? "";
    if (/^Key[A-Z]$/.test(code)) key = code.slice(3);
    else if (/^Digit[0-9]$/.test(code)) key = code.slice(5);
    else if (code in CODES) key = CODES[code];
    else return null;
  }
  if (key.length === 1 && /[a-z]/i.test(key)) {
    if (event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) return null;
    key = key.toLowerCase();
  }
  const held = [event.ctrlKey && "Control", event.metaKey && "Meta", event.altKey && "Alt"].filter(Boolean);
  return [...held, key].join("+");
}

/** Whether an element takes letters itself. */
export function isEditable(element) {
  if (!element?.closest) return false;
  if (element.isContentEditable) return true;
  const field = element.closest("input, textarea, select");
  return Boolean(field) && !(field.localName === "input" && TYPES_WITHOUT_TEXT.has(field.type));
}

/** Whether this press must do nothing of ours. */
export function isSilent(event, { off = false } = {}) {
  // Both checks of an input method: the first key of a composition comes before compositionstart, and only 229 marks it.
  if (event.defaultPrevented || event.repeat || event.isComposing || event.keyCode === 229) return true;
  const target = event.target;
  const combined = event.ctrlKey || event.metaKey || event.altKey;
  if (event.altKey && !event.ctrlKey && isEditable(target)) return true;
  if (combined) return false; // matched only by buttons that name the combination
  if (off) return true;
  if (isEditable(target)) return true;
  if (!target?.closest) return false;
  if (target.closest("dialog:modal, [role=tree], [role=listbox], [role=combobox], [role=menu], [role=grid]")) return true;
  return event.key === "Enter" && Boolean(target.closest("a[href], button, input, summary, [tabindex]:not([tabindex='-1'])"));
}

/** The keys an element names, in the spelling of keyOf. */
export function keysOf(element) {
  return (element.getAttribute("aria-keyshortcuts") ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((key) => (key.length === 1 ? key.toLowerCase() : key.replace(/\+([A-Z])$/, (_, last) => `+${last.toLowerCase()}`)));
}

function isShown(element) {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
}

/** Find what a key presses: {press} or {blocked} (there, but not now), or null. An open sequence (B, then why) hears alone. */
export function findButton(root, key) {
  const sequence = [...root.querySelectorAll("[data-sequence]")].find(isShown);
  const named = [...(sequence ?? root).querySelectorAll("[aria-keyshortcuts]")].filter((one) => keysOf(one).includes(key));
  const shown = named.filter((one) => isShown(one) || (one.matches("input") && isShown(one.parentElement)));
  const press = shown.find((one) => !one.matches(":disabled, [aria-disabled=true]"));
  if (press) return { press };
  return shown.length ? { blocked: shown[0] } : null;
}

/** Listen on a document; `blocked` is called with a button that is there but disabled. Returns a function that stops. */
export function listenForKeys(doc, { off = () => false, blocked = () => {} } = {}) {
  const onKey = (event) => {
    if (isSilent(event, { off: off() })) return;
    const key = keyOf(event);
    const found = key && findButton(doc.querySelector("dialog:modal") ?? doc, key);
    if (!found) return;
    event.preventDefault();
    if (found.press) found.press.click();
    else blocked(found.blocked);
  };
  doc.addEventListener("keydown", onKey);
  return () => doc.removeEventListener("keydown", onKey);
}
