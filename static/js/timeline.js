// The timeline: looks at an earlier moment. Everything is on the page already; what has a data-from (and a data-until)
// is shown for that time only. Words come from the page: the moment is told by the entry's own.

import { announce } from "./platform/announce.js";

const player = document.querySelector("[data-player]");
const range = player?.querySelector("[data-range]");

if (range) {
  const span = Number(range.max);
  const timed = [...document.querySelectorAll("[data-from]")].map((element) => ({
    element,
    from: Number(element.dataset.from),
    until: element.dataset.until === undefined ? Infinity : Number(element.dataset.until),
  }));
  const steps = timed.filter(({ element }) => "step" in element.dataset);
  const askings = steps.filter(({ element }) => "asking" in element.dataset);
  const clock = player.querySelector("[data-clock]");
  const head = player.querySelector("[data-playhead]");
  const plot = head.closest("svg").dataset;
  const began = Number(player.dataset.began);
  const time = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
    hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
    timeZone: document.documentElement.dataset.zone || undefined,
  });

  const now = () => Number(range.value);
  const last = (list, at) => list.findLast(({ from }) => from <= at);

  function show(at) {
    for (const { element, from, until } of timed) element.hidden = at < from || at >= until;
    for (const tally of player.querySelectorAll("[data-tally]")) {
      tally.textContent = document.querySelectorAll(`[data-tallied="${tally.dataset.tally}"]:not([hidden])`).length;
    }
    for (const { element } of steps) element.removeAttribute("aria-current");
    const step = last(steps, at);
    if (step && at < span) step.element.setAttribute("aria-current", "step");
    const x = Number(plot.left) + (Number(plot.width) * at) / span;
    head.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    clock.textContent = time.format(new Date(began + at));
    const current = player.querySelector("[data-spell]:not([hidden])")?.textContent.trim() ?? "";
    range.setAttribute("aria-valuetext", [clock.textContent, current.replace(/\s+/g, " ")].filter(Boolean).join(", "));
    return step;
  }

  function go(at, { aloud = false } = {}) {
    range.value = String(Math.max(0, Math.min(span, at)));
    const step = show(now());
    step?.element.scrollIntoView({ block: "nearest" });
    if (aloud) announce(range.getAttribute("aria-valuetext"));
  }

  const moves = {
    back: () => askings.findLast(({ from }) => from < now())?.from ?? 0,
    on: () => askings.find(({ from }) => from > now())?.from ?? span,
    end: () => span,
  };
  // On the slider itself arrows go from one entry to the next: a pixel of an hour means nothing.
  const arrows = {
    ArrowLeft: () => steps.findLast(({ from }) => from < now())?.from ?? 0,
    ArrowRight: () => steps.find(({ from }) => from > now())?.from ?? span,
  };
  arrows.ArrowDown = arrows.ArrowLeft;
  arrows.ArrowUp = arrows.ArrowRight;

  range.addEventListener("input", () => show(now()));
  range.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in arrows)) return;
    event.preventDefault();
    go(arrows[event.key]());
  });
  document.addEventListener("click", (event) => {
    const mover = event.target.closest("[data-move]");
    if (mover) go(moves[mover.dataset.move](), { aloud: true });
    const place = event.target.closest("[data-go]");
    if (place) go(Number(place.dataset.go), { aloud: true });
  });
  // On paper the whole story, whatever was looked at.
  window.addEventListener("beforeprint", () => show(span));
  window.addEventListener("afterprint", () => show(now()));

  for (const part of player.querySelectorAll("[data-needs-script]")) part.hidden = false;
  show(now());
}
