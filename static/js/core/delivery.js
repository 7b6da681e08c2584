// The life of a command, without a browser: which item it writes, on which version it builds, what state to show, what a
// refusal means. A row is what the store keeps: {n, id, name, data, item, status, attempts}; status "queued", "stale" or
// "refused"; rows stand in the order of n, the order of acting.

export const WINDOW = 32;
export const SERVER_ERRORS = 5;
export const TEXT_LIMIT = 20_000;
export const FRAME_LIMIT = 65_536;
const ENVELOPE = 160; // type, id and age

const ITEMS = {
  "mark.set": (data) => `mark:${data.asked}`,
  "boundary.set": (data) => `boundary:${data.tree}`,
  "note.set": (data) => `note:${data.asked ?? "-"}`,
  "evidence.add": (_data, id) => `evidence:${id}`,
  "evidence.edit": (data) => `evidence:${data.evidence}`,
  "evidence.remove": (data) => `evidence:${data.evidence}`,
  "reason.add": (_data, id) => `reason:${id}`,
  "reason.edit": (data) => `reason:${data.reason}`,
  "reason.remove": (data) => `reason:${data.reason}`,
};

/** The one thing that a command writes, or null for acts on the room. */
export function itemOf(name, data, id) {
  return ITEMS[name]?.(data, id) ?? null;
}

/** Every text in it as the server can keep it: no NUL, no half of a letter. */
export function storable(value) {
  if (typeof value === "string") return (value.toWellFormed?.() ?? value).replaceAll("\0", "");
  if (Array.isArray(value)) return value.map(storable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, storable(one)]));
}

/**
 * Whether the server takes texts of this length: 20,000 characters each (letters, not UTF-16 units), and 64 KiB for the frame
 * as UTF-8. Of Chinese 20,000 characters fit, of emoji some 16,000.
 */
export function fits({ name, data }, limit = FRAME_LIMIT) {
  const short = (value) => {
    if (typeof value === "string") return value.length <= TEXT_LIMIT || (value.length <= 2 * TEXT_LIMIT && [...value].length <= TEXT_LIMIT);
    return value === null || typeof value !== "object" || Object.values(value).every(short);
  };
  return short(data) && new TextEncoder().encode(JSON.stringify({ name, data })).length + ENVELOPE <= limit;
}

/** Whether losing the command would lose a person's judgement. */
export const isJudgement = (name) => name in ITEMS;

const TYPED = new Set(["chat.post", "probe.adhoc", "tree.edit"]);

/** Whether a refused command stays until its author lets go of it: judgements, and other words that somebody typed. */
export const isKept = ({ name, data }) => isJudgement(name) || (TYPED.has(name) && Boolean(data?.text));

/** The tree of a probe's name. */
export const treeOf = (name) => name.slice(0, name.indexOf("/"));

/** What the question of one's own that a row makes is called: its tree and the command's id. Null for other commands. */
export function ownName({ id, name, data }) {
  const makes = name === "probe.adhoc" || (name === "tree.edit" && data.op === "add");
  return makes ? `${treeOf(data.parent)}/${id}` : null;
}

const PARTS = { "mark.set": ["outcome", "aid", "ratings", "confidence"], "boundary.set": ["ended", "override"] };

/** The parts of its item that a row touches, as the page names its save states. */
export function partsOf(row) {
  const parts = PARTS[row.name]?.filter((part) => part in row.data) ?? [];
  return parts.length ? parts : ["text"];
}

/** The version to build on: what is saved, counting our own queued writes. */
export function nextVersion(item, savedVersion, rows) {
  const queued = rows.filter((row) => row.item === item && row.status === "queued");
  const last = queued.at(-1);
  return last ? writesTo(last) : savedVersion;
}

/** The version an item has once the row is accepted. */
export function writesTo(row) {
  return "version" in row.data ? row.data.version + 1 : 1;
}

/** An item with its queued writes on top; a null clears, ratings join by aim. */
export function overlay(saved, rows) {
  const value = { ...saved, ratings: { ...saved?.ratings } };
  for (const { data, status } of rows) {
    if (status === "refused") continue;
    for (const [key, one] of Object.entries(data)) {
      if (key === "version") continue;
      if (key === "ratings") Object.assign(value.ratings, one);
      else value[key] = one;
    }
  }
  return value;
}

/**
 * "unsent", "sent", "saved", "refused", "stale" or "" for one part of an item (null = any); `written`: the server has it.
 * "" also while what was pressed just now is on its way to the disk: what was saved before is not what is shown any more.
 */
export function stateOf(item, part, { rows, inFlight, written }) {
  const mine = rows.filter((row) => row.item === item && (part === null || partsOf(row).includes(part)));
  if (mine.some((row) => !row.kept)) return "";
  if (mine.some((row) => row.status === "stale")) return "stale";
  const last = mine.findLast((row) => row.status === "queued");
  if (last) return inFlight.has(last.id) ? "sent" : "unsent";
  if (mine.some((row) => row.status === "refused")) return "refused";
  return written ? "saved" : "";
}

/** Whether `row` makes no sense without `other`: it names what the other creates, or builds on its write. */
export function dependsOn(row, other) {
  if (row.n <= other.n) return false;
  const named = [row.data.asked, row.data.evidence, row.data.reason];
  // A question of the lead's own is named by its tree and its command's id.
  const probes = [row.data.probe, row.data.parent, row.data.after];
  return named.includes(other.id) || probes.some((name) => name?.endsWith(`/${other.id}`)) || (row.item !== null && row.item === other.item);
}

/** Rows that fall with `row`, through any number of steps. */
export function fallsWith(row, rows) {
  const fallen = [row];
  for (const one of rows) if (one.status === "queued" && fallen.some((other) => dependsOn(one, other))) fallen.push(one);
  return fallen.slice(1);
}

/**
 * The next rows to send, strictly in order, keeping to the window. Two writes of one item are never on the way together:
 * were the first refused as stale, the second would carry just the number that the other device's write has reached.
 */
export function nextToSend(rows, inFlight, window = WINDOW) {
  const busy = new Set(rows.filter((row) => inFlight.has(row.id) && row.item).map((row) => row.item));
  const chosen = [];
  for (const row of rows) {
    if (row.status !== "queued" || inFlight.has(row.id)) continue;
    if (inFlight.size + chosen.length >= window || busy.has(row.item)) break;
    if (row.item) busy.add(row.item);
    chosen.push(row);
  }
  return chosen;
}

/**
 * What a refusal means for its row.
 * "wait": try the same again later, in order · "again": what it builds on has not arrived yet, send again behind it ·
 * "stale": another device wrote the item, ask the person · "drop": an act on the room that came too late, say so ·
 * "tray": a judgement, or other words that somebody typed, that was not accepted: keep it.
 */
export function judge(row, code, rows) {
  const kept = isKept(row) ? "tray" : "drop";
  if (code === "retry_later") return "wait";
  if (code === "server_error") return row.attempts >= SERVER_ERRORS ? kept : "wait";
  if (["stale", "not_asked", "bad_field"].includes(code) && rows.some((one) => one.status === "queued" && dependsOn(row, one))) return "again";
  return code === "stale" && row.item ? "stale" : kept;
}
