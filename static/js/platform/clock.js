// Two clocks: one that only goes forward, for ages; and the server's, for what is shown. A browser's steady clock stands
// still while the machine sleeps, and its date may be set at any time: the server's word, when it comes, decides.

const LOOSE_MS = 2000; // what a line may take; less is no difference
const JUMP_MS = 10_000;

/** A name for this page load: a monotonic reading means nothing in another. */
const PAGE = crypto.randomUUID();

const skew = () => Date.now() - performance.now();

let slept = 0; // milliseconds that the steady clock missed
let agreed = skew(); // how date and steady clock stood when the server's time was last heard
let heard = false;
let furthest = -Infinity; // the base that was furthest ahead: only what goes beyond it was slept
// The server's time when this page was drawn, carried on by the steady clock: a wrong clock on the device shows no wrong time.
const drawn = Date.parse(document.querySelector("[data-now]")?.dataset.now ?? "");
let base = (Number.isNaN(drawn) ? Date.now() : drawn) - performance.now();

/** A stamp of now, to be stored with an act. */
export function stamp() {
  return { page: PAGE, steady: performance.now() + slept, date: Date.now() };
}

/** Milliseconds since a stamp: by the steady clock in the same page, else by the stored date. */
export function ageOf({ page, steady, date }) {
  const age = page === PAGE ? performance.now() + slept - steady : Date.now() - date;
  return Math.max(0, Math.round(age));
}

export const isOfThisPage = ({ page }) => page === PAGE;

export const serverNow = () => base + performance.now();

/**
 * The server says what time it is. What it is ahead of us beyond the line's delay, this machine slept. A word that was long
 * on its way says an earlier time: the clock is not put back for it unless our own date jumped too.
 */
export function hearTime(milliseconds) {
  if (Number.isNaN(milliseconds)) return;
  const ahead = milliseconds - serverNow();
  if (!heard || ahead > LOOSE_MS || (ahead < -LOOSE_MS && mayHaveSlept())) {
    base += ahead;
    if (heard) slept += Math.max(0, base - furthest);
    furthest = Math.max(furthest, base);
  }
  heard = true;
  agreed = skew();
}

/** How far the device's date is from the server's, to be kept; a page from the cache starts by it. */
export const dateOffset = () => Math.round(serverNow() - Date.now());

export function startFrom(offset) {
  if (!heard && Number.isFinite(offset)) base = Date.now() + offset - performance.now();
}

/** Whether ages are uncertain until the server says its time: the machine slept, or its date was set. */
export const mayHaveSlept = () => Math.abs(skew() - agreed) > LOOSE_MS;

/** "7:05", "1:02:09". */
export function spell(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Call `draw` now and at every full second that the page is seen; `woke` after the machine slept or its date was set. */
export function everySecond(draw, woke = () => {}) {
  let last = skew();
  const tick = () => {
    if (Math.abs(skew() - last) > JUMP_MS) woke();
    last = skew();
    if (!document.hidden) draw();
    setTimeout(tick, 1000 - (Date.now() % 1000));
  };
  tick();
  document.addEventListener("visibilitychange", () => document.hidden || draw());
}
