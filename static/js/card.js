// My scorecard: says where what I typed is on its way, and submits once, when nothing is under way.

const form = document.getElementById("card-form");
let changed = false; // typed since the last save was sent
let under = 0; // saves without an answer
let waiting = false; // Submit was pressed while a save was under way
let sent = false;
let again = null; // a save that found no line is tried again

const TRY_AGAIN = 5000;

const show = (state) => {
  const save = document.querySelector('[data-save="card"]');
  if (save) save.dataset.state = state;
};

const keep = () => window.htmx.trigger(form, "keep");

function keepSoon() {
  clearTimeout(again);
  again = setTimeout(keep, TRY_AGAIN);
}

form?.addEventListener("click", (event) => {
  // What another window saved was shown; its author says that this here replaces it.
  const replaces = event.target.closest("[data-replaces]")?.dataset.replaces;
  if (!replaces) return;
  document.getElementById("card-version").value = replaces;
  keep();
});

window.addEventListener("online", () => {
  if (changed) keep();
});

form?.addEventListener("input", () => {
  changed = true;
  show("unsent");
});

form?.addEventListener("htmx:beforeRequest", (event) => {
  // The form itself is on its way with all that was typed; a delayed save beside it would make its version stale.
  if (sent) {
    event.preventDefault();
    return;
  }
  changed = false;
  under += 1;
  show("sent");
});

form?.addEventListener("htmx:afterRequest", (event) => {
  under -= 1;
  // A refusal is drawn by the server, with its words; no answer at all leaves what was typed unsent.
  const refused = event.detail.xhr.status >= 400;
  if (!event.detail.successful) changed = true;
  if (event.detail.xhr.status === 0) keepSoon();
  if (changed && !refused) show("unsent");
  if (waiting && under === 0) {
    waiting = false;
    form.requestSubmit();
  }
});

form?.addEventListener("submit", (event) => {
  // A save that is under way changes the card's version: submitting beside it would be refused.
  if (sent || under > 0) {
    waiting = under > 0;
    event.preventDefault();
    return;
  }
  sent = true;
  changed = false;
});

window.addEventListener("pageshow", () => {
  sent = false;
});

window.addEventListener("beforeunload", (event) => {
  if (changed || under > 0) event.preventDefault();
});
