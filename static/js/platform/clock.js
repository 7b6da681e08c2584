// Two clocks: one that only goes forward, for ages; and the server's, for what is shown.

/** A name for this page load: a monotonic reading means nothing in another. */
const PAGE = crypto.randomUUID();

/** A stamp of now, to be stored with an act. */
export function stamp() {
  return { page: PAGE, steady: performance.now(), date: Date.now() };
}

/** Milliseconds since a stamp: by the steady clock in the same page, else by the stored date. */
export function ageOf({ page, steady, date }) {
  const age = page === PAGE ? performance.now() - steady : Date.now() - date;
  return Math.max(0, Math.round(age));
}

export const isOfThisPage = ({ page }) => page === PAGE;

// The server's time when this page was drawn, carried on by the steady clock: a wrong clock on the device shows no wrong time.
const drawn = Date.parse(document.querySelector("[data-now]")?.dataset.now ?? "");
const started = performance.now();

export function serverNow() {
  return Number.isNaN(drawn) ? Date.now() : drawn + performance.now() - started;
}

/** "7:05", "1:02:09". */
export function spell(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Call `draw` now and at every full second that the page is seen. */
export function everySecond(draw) {
  const tick = () => {
    if (!document.hidden) draw();
    setTimeout(tick, 1000 - (Date.now() % 1000));
  };
  tick();
  document.addEventListener("visibilitychange", () => document.hidden || draw());
}
