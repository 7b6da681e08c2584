// The letter's page: its words into the clipboard, as they stand in the field now.

import { alertNow, announce } from "./platform/announce.js";

const button = document.getElementById("letter-copy");
const field = document.querySelector("#letter textarea");

button.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    alertNow(button.dataset.failed);
    return;
  }
  announce(button.dataset.copied);
});
