// How long each tree took, and how that stands against the plan: the twin of interviews/rules/minutes.py. Both run
// tests/interviews/minutes_vectors.json. Times are milliseconds.

/** Overlapping spans joined, so that no minute is taken out twice. */
function joined(spans) {
  const found = [];
  for (const [since, until] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = found.at(-1);
    if (last && since <= last[1]) last[1] = Math.max(last[1], until);
    else found.push([since, until]);
  }
  return found;
}

const without = (stops, since, until) =>
  Math.max(0, stops.reduce((spent, [stop, resume]) => spent - Math.max(0, Math.min(resume, until) - Math.max(stop, since)), Math.max(0, until - since)));

/** Over a tree's askings [{tree, made_at}]: the time to the next asking, of whatever tree; pauses out, cut at the end. */
export function treeTimes(asks, pauses, end) {
  const stops = joined(pauses.map(([since, until]) => [since, until ?? end]));
  const inOrder = [...asks].sort((a, b) => a.made_at - b.made_at);
  const times = new Map();
  inOrder.forEach(({ tree, made_at: madeAt }, index) => {
    const until = Math.min(inOrder[index + 1]?.made_at ?? end, end);
    times.set(tree, (times.get(tree) ?? 0) + without(stops, madeAt, until));
  });
  return times;
}

/** Each planned tree {tree, minutes, probes} against what was asked of it [{tree, probe, made_at}], retracted ones left out. */
export function fairTime({ asks, plan, pauses, end, extra = 0 }) {
  const times = treeTimes(asks, pauses, end);
  return plan.map(({ tree, minutes, probes = 0 }) => {
    const used = times.get(tree) ?? 0;
    const budget = (minutes * 60_000 * (100 + extra)) / 100;
    const offered = new Set(asks.filter((one) => one.tree === tree).map((one) => one.probe)).size;
    return { tree, used, budget, offered, planned: probes, over: Math.max(0, used - budget), ahead: Math.max(0, budget - used) };
  });
}
