// The one announcer. Two regions, short results, plain text; never clocks, presence or ticks.

const JOIN_MS = 500;
const waiting = new Map();

function say(region, text) {
  const box = document.getElementById(`live-${region}`);
  if (!box || !text) return;
  const pending = waiting.get(region);
  if (pending) {
    pending.texts.push(text);
    return;
  }
  // Empty first and fill in the next frames: a reader hears the change even when the words are the same.
  const entry = { texts: [text] };
  waiting.set(region, entry);
  box.textContent = "";
  setTimeout(() => {
    waiting.delete(region);
    box.textContent = [...new Set(entry.texts)].join(". ");
  }, region === "assertive" ? 60 : JOIN_MS);
}

/** A result that can wait for a pause. */
export function announce(text) {
  say("polite", text);
}

/** Refused, stale, a right lost: said at once. */
export function alertNow(text) {
  say("assertive", text);
}
