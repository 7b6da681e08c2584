// The boundary of one person on one tree: the twin of interviews/rules/boundaries.py and endings.py.
// Both run tests/interviews/boundary_vectors.json; a change of the rule starts there. Names and shapes are the vectors'.

const OBSERVED = new Set(["no_answer", "wrong", "recited_only", "declined"]);
const CUT_SHORT = new Set(["time", "moved_on", "top_of_tree"]);

/** What one mark says: "pass", "unclear", "miss", or null where nothing was judged. */
export function creditOf(outcome, aid) {
  if (!outcome || outcome === "not_judged") return null;
  if (aid === "told" || outcome === "recited" || outcome === "not_sustained") return "miss";
  return outcome === "partial" || aid === "hinted" ? "unclear" : "pass";
}

const isFirm = (ask) => ["recited", "not_sustained"].includes(ask.outcome) && ["hinted", "told"].includes(ask.aid);
const credit = (ask) => creditOf(ask.outcome, ask.aid);

function laterOfEachProbe(judged) {
  const last = new Map();
  for (const ask of judged) {
    last.delete(ask.probe);
    last.set(ask.probe, ask);
  }
  return [...last.values()];
}

function creditByLevel(counted) {
  const levels = new Map();
  for (const ask of counted) if (levels.get(ask.level) !== "pass") levels.set(ask.level, credit(ask));
  return new Map([...levels].sort(([a], [b]) => a - b));
}

const levelsWith = (levels, wanted) => [...levels].filter(([, one]) => one === wanted).map(([level]) => level);

/** Most agreement, ties to the lower; only passed levels and 0 can win. */
function floorOf(levels) {
  const passes = levelsWith(levels, "pass");
  const misses = levelsWith(levels, "miss");
  if (!passes.length && !misses.length) return null;
  const agreement = (at) => passes.filter((level) => level <= at).length + misses.filter((level) => level > at).length;
  return [0, ...passes].reduce((best, at) => (agreement(at) > agreement(best) ? at : best), 0);
}

function outOfOrder(levels, floor, ceiling) {
  return [...levels].flatMap(([level, one]) => {
    if (one === "pass" && ceiling !== null && level > ceiling) return [{ level, credit: one, ask_again: ceiling }];
    if (one === "miss" && floor !== null && level <= floor) return [{ level, credit: one, ask_again: level }];
    return [];
  });
}

function longestRun(counted, holds) {
  let run = 0;
  let longest = 0;
  for (const ask of counted) {
    if (holds(ask)) run += 1;
    else if (credit(ask) === "pass") run = 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function exclusion(ended, tree, anythingJudged) {
  if (!ended || !["not_expected", "not_asked"].includes(ended.reason)) return [null, false];
  if (anythingJudged) return ["has_marks", false];
  if (ended.reason === "not_expected" && !tree.optional) return ["not_optional", false];
  return [null, true];
}

function stateOf(asks, ended) {
  if (!ended) return "open";
  return asks.slice(ended.asks).some((ask) => !ask.retracted) ? "reopened" : "ended";
}

function nextOf(levels, tree, floor, ceiling, gaps, wrong, judged) {
  if (!levels.size) return { level: 1, why: "start" };
  // Tried again already, it stays out of order whatever follows: asking for ever would tell nothing.
  const tries = (level) => judged.filter((ask) => ask.level === level).length;
  const doubtful = wrong.map((one) => one.ask_again).filter((level) => tries(level) === 1);
  if (doubtful.length) return { level: Math.min(...doubtful), why: "out_of_order" };
  const bottom = floor ?? 0;
  const unclear = levelsWith(levels, "unclear").filter((level) => level > bottom && (ceiling === null || level < ceiling));
  const untried = unclear.filter((level) => tries(level) === 1);
  if (untried.length && tree.retry_unclear) return { level: untried[0], why: "unclear" };
  if (gaps.length) return { level: gaps[0], why: "gap" };
  if (ceiling !== null) return { level: ceiling, why: "second_try" };
  for (let level = bottom + 1; level <= tree.top_level; level += 1) if (!levels.has(level)) return { level, why: "go_up" };
  return { level: unclear[0], why: "unclear" };
}

/** Read one person's marks on one tree; `asks` in asked order. */
export function boundary({ tree, asks, ended = null, override = null }) {
  const judged = asks.filter((ask) => (ask.scored ?? true) && !ask.retracted && !ask.voided && credit(ask));
  const counted = laterOfEachProbe(judged);
  let [problem, excluded] = exclusion(ended, tree, counted.length > 0);
  const levels = creditByLevel(counted);
  const floor = floorOf(levels);
  const ceiling = floor === null ? null : (levelsWith(levels, "miss").find((level) => level > floor) ?? null);
  if (ended && OBSERVED.has(ended.reason) && ceiling === null) problem = "needs_miss";
  const holds = (ask) => floor !== null && ask.level > floor && levels.get(ask.level) === "miss" && credit(ask) === "miss";
  const missed = judged.filter(holds).map((ask) => ask.level);
  const discontinue = longestRun(counted, holds) >= tree.misses_to_end;
  const ratable = discontinue || missed.length > new Set(missed).size || (floor !== null && floor >= tree.top_level);
  const wrong = outOfOrder(levels, floor, ceiling);
  const gaps = [];
  for (let level = (floor ?? 0) + 1; level < (ceiling ?? 0); level += 1) if (!levels.has(level)) gaps.push(level);
  return {
    levels: [...levels].map(([level, one]) => ({ level, credit: one })),
    floor, ceiling, gaps, discontinue, ratable, excluded, problem, override,
    firm: counted.some((ask) => ask.level === ceiling && isFirm(ask)),
    out_of_order: wrong,
    next: ratable || excluded ? null : nextOf(levels, tree, floor, ceiling, gaps, wrong, judged),
    state: stateOf(asks, ended),
    reason: ended?.reason ?? null,
    at_least: Boolean(ended) && CUT_SHORT.has(ended.reason) && floor !== null && ceiling === null,
    rows: [...levels].filter(([level, one]) => one !== "unclear" && (ceiling === null || level <= ceiling))
      .map(([level, one]) => ({ level, passed: one === "pass" })),
  };
}

/** What `B` and its reason do to the probe they point at: an outcome to mark first, or why nothing may change. */
export function endingEffect({ reason, asked, outcome, aid, optional, judged }) {
  if (reason === "not_asked" || reason === "not_expected") {
    const hides = judged > 0 || (reason === "not_expected" && !optional);
    return { outcome: null, refused: hides ? "contradiction" : null };
  }
  if (!asked) return { outcome: null, refused: "not_asked" };
  if (!OBSERVED.has(reason)) return { outcome: null, refused: null };
  const said = creditOf(outcome, aid);
  if (said) return { outcome: null, refused: said === "miss" ? null : "contradiction" };
  return { outcome: reason === "recited_only" ? "recited" : "not_sustained", refused: null };
}
