// How long to wait before the next try: full jitter, so that a whole panel does not come back in the same second.

const LEAST_MS = 500;
const MOST_MS = 10_000;

/** Milliseconds before try number `attempt` (0 = first again); `random` gives [0, 1). */
export function delay(attempt, random = Math.random) {
  const cap = Math.min(MOST_MS, LEAST_MS * 2 ** (attempt + 1));
  return Math.round(LEAST_MS + random() * (cap - LEAST_MS));
}

const FINAL = new Set([4400, 4401, 4403, 4404]);

/** Whether a close code says that trying again is of no use: protocol, sign-in, right, room. */
export function isFinal(code) {
  return FINAL.has(code);
}
