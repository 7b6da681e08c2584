// What a button is called, as a person would say it: its words, without key cap and small print; and its cap.

export function nameOf(button) {
  const copy = button.cloneNode(true);
  for (const cap of copy.querySelectorAll("kbd, svg, .next__meta, .next__if")) cap.remove();
  const texts = document.createNodeIterator(copy, NodeFilter.SHOW_TEXT);
  const words = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) words.push(text.data.trim());
  const name = words.filter((word) => word && word !== button.getAttribute("aria-keyshortcuts")).join(" ");
  return name.replace(/ (?=[:,;.])/g, "");
}

/** The cap that stands on it; where none does, its first key in the same spelling: "Ctrl K". */
export function capOf(button) {
  const drawn = button.querySelector("kbd")?.textContent.trim();
  const [key] = (button.getAttribute("aria-keyshortcuts") ?? "").split(" ");
  return drawn || key.replace("Control+", "Ctrl ");
}
