// The tree editor's twin of questionbank.edits.shape: where a probe stands, where a step would take it. Pure.
//
// `rows` are [{key, parent, keeps}] in reading order, the root's parent is "". A place is {parent, after}: below a parent,
// right after a sibling ("" for first).

export const parentOf = (rows, key) => rows.find((row) => row.key === key)?.parent ?? "";

export const followUps = (rows, parent) => rows.filter((row) => row.parent === parent).map((row) => row.key);

export function placeOf(rows, key) {
  const parent = parentOf(rows, key);
  const beside = followUps(rows, parent);
  return { parent, after: beside[beside.indexOf(key) - 1] ?? "" };
}

export const samePlace = (one, other) => one.parent === other.parent && one.after === other.after;

/** A probe and everything below it, in reading order. */
export function withAllBelow(rows, key) {
  const found = new Set([key]);
  for (const row of rows) if (found.has(row.parent)) found.add(row.key);
  return rows.map((row) => row.key).filter((one) => found.has(one));
}

/** Number of ancestors of each, by key. */
export function depths(rows) {
  const depth = new Map();
  for (const { key, parent } of rows) depth.set(key, parent ? (depth.get(parent) ?? 0) + 1 : 0);
  return depth;
}

/** Level of each by the rules of the domain: one below its parent, unless it keeps its parent's. */
export function levels(rows) {
  const level = new Map();
  for (const { key, parent, keeps } of rows) level.set(key, parent ? (level.get(parent) ?? 0) + (keeps ? 0 : 1) : 1);
  return level;
}

/** Where one step takes a probe ("up", "down", "out", "in"), or null where there is no way. */
export function step(rows, key, way) {
  const parent = parentOf(rows, key);
  if (!parent) return null;
  const beside = followUps(rows, parent);
  const index = beside.indexOf(key);
  if (way === "up") return index > 0 ? { parent, after: beside[index - 2] ?? "" } : null;
  if (way === "down") return index < beside.length - 1 ? { parent, after: beside[index + 1] } : null;
  if (way === "out") {
    const above = parentOf(rows, parent);
    return above ? { parent: above, after: parent } : null;
  }
  const into = beside[index - 1];
  return into ? { parent: into, after: followUps(rows, into).at(-1) ?? "" } : null;
}

/** Whether a probe may stand there: not below itself, not in the root's place. */
export function mayStand(rows, key, { parent, after }) {
  if (!parent || !parentOf(rows, key)) return false;
  const own = withAllBelow(rows, key);
  return !own.includes(parent) && !own.includes(after);
}

/** The rows with a probe, and all below it, moved to a place. */
export function moved(rows, key, { parent, after }) {
  const own = new Set(withAllBelow(rows, key));
  const block = rows.filter((row) => own.has(row.key)).map((row) => (row.key === key ? { ...row, parent } : row));
  const rest = rows.filter((row) => !own.has(row.key));
  const before = after ? withAllBelow(rest, after).at(-1) : parent;
  const index = rest.findIndex((row) => row.key === before) + 1;
  return [...rest.slice(0, index), ...block, ...rest.slice(index)];
}

/** Keys that are not inside a folded probe. */
export function visible(rows, folded) {
  const inside = new Set();
  return rows
    .filter(({ key, parent }) => {
      const hidden = inside.has(parent) || folded.has(parent);
      if (hidden) inside.add(key);
      return !hidden;
    })
    .map((row) => row.key);
}

/** The next key, after `from` and round again, whose text or any word of it begins with what was typed; or null. */
export function find(texts, from, typed) {
  const wanted = typed.toLocaleLowerCase();
  const start = texts.findIndex(({ key }) => key === from);
  const ordered = [...texts.slice(start + 1), ...texts.slice(0, start + 1)];
  // While more of a word is typed, the row where one stands is as good as the next.
  if (typed.length > 1 && start >= 0) ordered.unshift(texts[start]);
  const begins = ({ text }) => text.toLocaleLowerCase().startsWith(wanted);
  const holds = ({ text }) => text.toLocaleLowerCase().split(/[\s,;:.?!()]+/).some((word) => word.startsWith(wanted));
  return (ordered.find(begins) ?? ordered.find(holds))?.key ?? null;
}
