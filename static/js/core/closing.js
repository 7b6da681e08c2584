// What one person has still to do before the end: the twin of interviews/rules/closing.py. Both run
// tests/interviews/closing_vectors.json; a change of the rule starts there. Names and shapes are the vectors'.

import { boundary } from "./boundary.js";

const AIMS = ["depth", "why", "hands_on"];
const FEWEST_RATINGS = 2;

const rated = (ask, aim) => ask.ratings?.[aim] != null;
const marked = (ask) => Boolean(ask.outcome || ask.aid) || AIMS.some((aim) => rated(ask, aim));

/** Those that this person asked, marked, or had a line for at any time while they were being answered. */
function presentOf(standing, line, now) {
  const inOrder = [...standing].sort((a, b) => a.made_at - b.made_at);
  return inOrder.filter((ask, index) => {
    const until = inOrder[index + 1]?.made_at ?? now;
    return ask.own || marked(ask) || line.some(([since, end]) => since <= until && (end === null || end >= ask.made_at));
  });
}

function whyOpen(read) {
  if (read.excluded && read.state === "ended") return null;
  if (read.state !== "ended") return read.state === "open" ? "missing" : "reopened";
  return read.ratable ? null : "not_ratable";
}

function openBoundary(tree, read, heard) {
  const here = heard.filter((ask) => ask.tree === tree);
  const why = whyOpen(read);
  return here.length && why ? [{ tree, why, asked: here.at(-1).id, level: read.next?.level ?? null }] : [];
}

/** A probe asked twice gives one rating, the later one. */
function thinOf(aim, counting) {
  const rateable = counting.filter((ask) => ask.aims?.includes(aim));
  const probes = new Set(rateable.filter((ask) => rated(ask, aim)).map((ask) => ask.probe));
  if (probes.size >= FEWEST_RATINGS) return [];
  const missing = rateable.filter((ask) => !probes.has(ask.probe));
  return [{ aim, ratings: probes.size, asked: missing.at(-1)?.id ?? null }];
}

/** `asks` in asked order, `trees` in plan order; `line`: [since, until or null] for each time this person had one. */
export function checklist({ asks, trees, line, now }) {
  const standing = asks.filter((ask) => !ask.retracted);
  const present = new Set(presentOf(standing, line, now).map((ask) => ask.id));
  const heard = standing.filter((ask) => present.has(ask.id));
  const reads = new Map(trees.map(({ key, rule, ended }) => [key, boundary({ tree: rule, asks: asks.filter((ask) => ask.tree === key), ended })]));
  // What enters a dimension's value, as the card reads it.
  const counting = heard.filter((ask) => (ask.scored ?? true) && ask.outcome !== "not_judged" && !reads.get(ask.tree)?.excluded);
  return {
    unmarked: heard.filter((ask) => !ask.outcome).map((ask) => ask.id),
    boundaries: [...reads].flatMap(([tree, read]) => openBoundary(tree, read, heard)),
    thin: AIMS.flatMap((aim) => thinOf(aim, counting)),
    absent: standing.filter((ask) => !present.has(ask.id)).map((ask) => ask.id),
  };
}
