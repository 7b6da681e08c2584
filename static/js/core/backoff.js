// How long to wait before the next try: full jitter, so that a whole panel does not come back in the same second.

const LEAST_MS = 500;
const MOST_MS = 10_000;
const RESTART = 1012;
const RESTART_MS = 3_000;

/**
 * Milliseconds before try number `attempt` (0 = first again), after a close with `code`; `random` gives [0, 1).
 * A restart sends everybody away at once: they spread wider.
 */
export function delay(attempt, code = 0, random = Math.random) {
  const cap = Math.min(MOST_MS, Math.max(LEAST_MS * 2 ** (attempt + 1), code === RESTART ? RESTART_MS : 0));
  return Math.round(LEAST_MS + random() * (cap - LEAST_MS));
}

const FINAL = new Set([4400, 4401, 4403, 4404]);

/** Whether a close code says that trying again is of no use: protocol, sign-in, right, room. */
export function isFinal(code) {
  return FINAL.has(code);
}
