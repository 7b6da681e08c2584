// One's own preparation: says where what was typed is on its way, and warns before it is left behind.

const form = document.getElementById("preparation-form");
let changed = false; // typed since the last keeping was sent
let under = 0; // keepings without an answer

const show = (state) => {
  const save = document.querySelector("[data-save=preparation]");
  if (save) save.dataset.state = state;
};

form?.addEventListener("input", () => {
  changed = true;
  show("unsent");
});

form?.addEventListener("htmx:beforeRequest", () => {
  changed = false;
  under += 1;
  show("sent");
});

form?.addEventListener("htmx:afterRequest", ({ detail }) => {
  under -= 1;
  // A refusal is drawn by the server, with its words; without an answer it is still here only.
  if (!detail.successful) changed = true;
  if (changed && detail.xhr.status < 400) show("unsent");
});

window.addEventListener("beforeunload", (event) => {
  if (changed || under > 0) event.preventDefault();
});
