// Every page: keys, dialogs, questions before sending, and what to say when an answer fails.

import { listenForKeys } from "./core/keymap.js";
import { alertNow, announce } from "./platform/announce.js";
import "./elements/local-time.js";

const words = document.body.dataset;

listenForKeys(document, {
  off: () => words.keys === "off",
  blocked: () => announce(words.notNow),
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  // A room that is still being read takes no presses: said, so that none is lost in silence.
  if (event.target.closest("[data-starting] [data-command]")) announce(words.notNow);
  const closer = event.target.closest("[data-closes]");
  if (closer) closer.closest("dialog")?.close();
});

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

function say(text) {
  const box = document.getElementById("messages");
  if (box) {
    const notice = document.createElement("div");
    notice.className = "notice notice--bad";
    notice.textContent = text;
    box.replaceChildren(notice);
  }
  alertNow(text);
}

document.addEventListener("htmx:responseError", () => say(words.failed));
document.addEventListener("htmx:sendError", () => say(words.offline));
