// What was asked, read from the rail: the rows are the model. An asking of one's own appears at once, before the server says so.

import { ownName } from "../core/delivery.js";
import { ageOf, serverNow } from "../platform/clock.js";
import { clone } from "../platform/swap.js";

const GRACE_MS = 4000;
const ASKS = new Set(["probe.ask", "probe.adhoc"]);

const list = () => document.getElementById("asked-list");

function read(row) {
  const { asked, probe, tree, seq, level, scored, retracted, madeAt } = row.dataset;
  return {
    id: asked, probe, tree, row,
    seq: Number(seq) || 0,
    level: Number(level),
    scored: scored !== "false",
    retracted: retracted === "true" || "localRetracted" in row.dataset,
    madeAt: Date.parse(madeAt),
    current: row.getAttribute("aria-current") === "step",
  };
}

/** All askings in asked order; those still on their way come last, in the order of asking. */
export function askings() {
  const rows = [...(list()?.querySelectorAll("[data-asked]") ?? [])].map(read);
  return rows.sort((a, b) => (a.seq || Infinity) - (b.seq || Infinity) || a.madeAt - b.madeAt);
}

export const find = (id) => askings().find((one) => one.id === id) ?? null;

/** The asking being answered now, or null. */
export function current() {
  return askings().findLast((one) => one.current && !one.retracted) ?? null;
}

/** How many askings of a tree stand, retracted ones too. */
export const countOf = (tree) => askings().filter((one) => one.tree === tree).length;

export function treeRule(key) {
  const row = list()?.querySelector(`[data-tree="${CSS.escape(key)}"]`);
  if (!row) return null;
  const { topLevel, missesToEnd, retryUnclear, optional } = row.dataset;
  return {
    top_level: Number(topLevel), misses_to_end: Number(missesToEnd),
    retry_unclear: retryUnclear === "true", optional: optional === "true",
  };
}

/** The keys of the pinned trees, in plan order. */
export const trees = () => [...(list()?.querySelectorAll(".plan__tree") ?? [])].map((row) => row.dataset.tree);

export function treeTitle(key) {
  const name = document.getElementById(`tree-${key}`)?.querySelector(".plan__name");
  return { text: name?.textContent ?? key, lang: name?.lang ?? "" };
}

/** The aims that a pinned probe is rated for. */
export const aimsOf = (probe) => (templateOf(probe)?.dataset.aims ?? "").split(" ").filter(Boolean);

const templateOf = (probe) => document.getElementById(`probe-${probe}`);

/** The title and language of a pinned probe or of an asking's row. */
export function titleOf(one) {
  const word = one.row?.querySelector(".track__word");
  return word ? { text: word.textContent, lang: word.lang } : { text: templateOf(one.probe)?.dataset.title ?? "", lang: templateOf(one.probe)?.dataset.lang ?? "" };
}

/** Show asks and retractions of the outbox that the server has not drawn yet. Called after every swap and change. */
export function overlayAsks(rows) {
  if (!list()) return;
  const asks = rows.filter((row) => ASKS.has(row.name) && row.status === "queued");
  const queued = new Set(asks.map((row) => row.id));
  for (const row of list().querySelectorAll("[data-local-asked]")) {
    if (row.dataset.seq) settle(row);
    // Acknowledged, and its event is a moment behind; or refused, and dropAsk was called.
    else if (!queued.has(row.dataset.asked)) row.dataset.localGone ??= String(performance.now() + GRACE_MS);
    if (row.dataset.localGone && performance.now() > Number(row.dataset.localGone) && !row.dataset.seq) row.remove();
  }
  for (const ask of asks) if (!document.getElementById(`asked-${ask.id}`)) insert(ask);
  const last = [...list().querySelectorAll("[data-local-asked]")].at(-1);
  if (last) mark(last.dataset.asked);
  else if (list().querySelector("[data-local-was]")) unmark();
  const gone = new Set(rows.filter((row) => row.name === "probe.retract" && row.status === "queued").map((row) => row.data.asked));
  for (const row of list().querySelectorAll("[data-asked]")) row.toggleAttribute("data-local-retracted", gone.has(row.dataset.asked));
}

/** An asking was refused: take its row away. */
export function dropAsk(id) {
  const row = document.getElementById(`asked-${id}`);
  if (row && !row.dataset.seq) row.remove();
}

function settle(row) {
  for (const name of ["data-local-asked", "data-local-keep", "data-local-gone"]) row.removeAttribute(name);
}

function insert(ask) {
  const probe = ownName(ask) ?? ask.data.probe;
  const from = templateOf(probe)?.dataset;
  const tree = from && document.getElementById(`tree-${from.tree}`);
  if (!tree) return;
  const row = clone("t-asked", {
    fill: { level: from.level, title: from.title },
    set: {
      id: `asked-${ask.id}`, "data-asked": ask.id, "data-probe": probe, "data-tree": from.tree, "data-seq": "",
      "data-level": from.level, "data-scored": from.scored, "data-retracted": "false", "data-local-asked": "",
      "data-made-at": new Date(serverNow() - ageOf(ask.stamp)).toISOString(),
    },
  });
  row.querySelector(".mine").id = `my-mark-${ask.id}`;
  row.querySelector(".track__word").lang = from.lang;
  tree.querySelector(".track").append(row);
}

// The newest asking on its way is the current one; what was current before is remembered, in case it is refused.
function mark(id) {
  for (const row of list().querySelectorAll("[data-asked]")) {
    const here = row.dataset.asked === id;
    if (row.getAttribute("aria-current") === "step" && !here && !("localAsked" in row.dataset)) row.setAttribute("data-local-was", "");
    set(row, here);
  }
}

function unmark() {
  const was = list().querySelector("[data-local-was]");
  if (!list().querySelector("[aria-current=step]") && was) set(was, true);
  was?.removeAttribute("data-local-was");
}

function set(row, here) {
  if (here) row.setAttribute("aria-current", "step");
  else row.removeAttribute("aria-current");
  row.classList.toggle("track__node--now", here);
  const tree = row.closest("[data-tree].plan__tree");
  if (here) for (const one of list().querySelectorAll(".plan__tree")) one.classList.toggle("plan__tree--now", one === tree);
}
