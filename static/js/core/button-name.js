// What a button is called, as a person would say it: its words, without key cap and small print.

export function nameOf(button) {
  const copy = button.cloneNode(true);
  for (const cap of copy.querySelectorAll("kbd, svg, .next__meta, .next__if")) cap.remove();
  const texts = document.createNodeIterator(copy, NodeFilter.SHOW_TEXT);
  const words = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) words.push(text.data.trim());
  return words.filter((word) => word && word !== button.getAttribute("aria-keyshortcuts")).join(" ");
}
