// The tree editor: joins the tree, the fields, what is sent and what comes back.

import { findButton, keyOf } from "./core/keymap.js";
import { placeOf, withAllBelow } from "./core/tree-shape.js";
import { alertNow, announce } from "./platform/announce.js";
import { parse, swap } from "./platform/swap.js";
import { ConflictFocus } from "./bank/conflict.js";
import { AddDialog, MoveDialog } from "./bank/dialogs.js";
import { Moving } from "./bank/moving.js";
import { Saving } from "./bank/saving.js";
import { Tree } from "./bank/tree.js";

const LOOK_MS = 120; // how long one rests on a probe before its fields are fetched
const CHECK_MS = 400; // how long after a change the linter is asked

const byId = (id) => document.getElementById(id);
const places = byId("editor").dataset;
const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
const keysOff = () => document.body.dataset.keys === "off";

// --- to the server and back

/** Send; draw what is answered; give {status, conflict}. Status 0: no line, or nobody is signed in any more. */
async function ask(url, data) {
  const body = new URLSearchParams(data instanceof FormData ? [...data] : Object.entries(data));
  body.set("seen", byId("draft-state").dataset.seen);
  const from = tree.current;
  try {
    const headers = { "X-CSRFToken": token };
    const response = await fetch(url, { method: "POST", body, headers, redirect: "manual" });
    if ([403, 404].includes(response.status)) alertNow(document.body.dataset.failed);
    if (![200, 409, 422].includes(response.status)) return { status: response.status >= 500 ? 0 : response.status };
    return { status: response.status, ...receive(await response.text(), response.status, from) };
  } catch {
    return { status: 0 };
  }
}

/** Draw an answer: rows, order, state, and either side of a conflict. `from`: the current probe when it was asked for. */
function receive(html, status, from) {
  const fresh = parse(html);
  const before = tree.current;
  const focus = fresh.querySelector("#draft-state")?.dataset.focus;
  const caughtUp = fresh.querySelector("#draft-state[data-caught-up]");
  const order = fresh.querySelector("#tree-order")?.dataset.order;
  const said = fresh.querySelector("#editor-notice")?.dataset.say;
  swap(html, (one) => !one.matches("[role=treeitem]"));
  for (const row of fresh.querySelectorAll("[role=treeitem]")) tree.put(row);
  if (order === undefined) tree.draw();
  else tree.arrange(order.split(" ").filter(Boolean));
  drawFinds();
  byId("ed-empty").hidden = Boolean(tree.current);
  if (status === 200 && focus && before === from) tree.choose(focus, { focus: tree.element.contains(document.activeElement) });
  if (caughtUp || tree.current !== before) look();
  if (status === 200) check();
  if (said) alertNow(said);
  const box = byId("conflict");
  if (status !== 409 || !box.dataset.kind) return {};
  alertNow(box.querySelector("h2").textContent);
  conflictFocus.ask();
  return { conflict: { ...box.dataset } };
}

const saving = new Saving({
  url: places.fieldUrl,
  ask,
  changed: drawState,
  alert: (word) => alertNow(places[word] ?? document.body.dataset[word]),
});

function drawState() {
  const box = document.querySelector("#draft-state [data-save]");
  const { state } = saving;
  if (box.dataset.state === state) return;
  if (state === "saved" && box.dataset.state) announce(places.saved);
  box.dataset.state = state;
}

// --- the fields of the current probe

let looking = 0;

/** Fetch the fields of the current probe, after what was typed has been sent. */
function look() {
  clearTimeout(looking);
  saving.flush();
  looking = setTimeout(() => {
    history.replaceState(null, "", `#row-${tree.current}`);
    saving.read(draw);
  }, LOOK_MS);
}

async function draw() {
  const key = tree.current;
  if (!key) return byId("probe-panel").querySelector("form")?.remove();
  const response = await fetch(places.probeUrl.replace("KEY", key)).catch(() => null);
  if (response?.status !== 200 || tree.current !== key) return;
  const html = await response.text();
  const form = byId("probe-form");
  if (form?.dataset.probe === key) swap(html);
  else byId("probe-panel").replaceChildren(...parse(html).children);
  if (wanted) edit();
}

let wanted = false; // Enter was pressed before the fields had come

function edit() {
  const form = byId("probe-form");
  wanted = form?.dataset.probe !== tree.current;
  if (!wanted) form.querySelector("textarea").focus();
}

document.addEventListener("input", ({ target }) => isField(target) && saving.touch(target));
document.addEventListener("change", ({ target }) => isField(target) && saving.touch(target, { now: true }));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.keyCode === 229 || !isField(event.target)) return;
  event.preventDefault();
  event.target.blur();
  tree.item(tree.current)?.focus();
});

const isField = (element) => Boolean(element.name && element.form?.matches("#probe-form, #head-form"));

// --- what the linter says

let checking = 0;

function check() {
  clearTimeout(checking);
  checking = setTimeout(async () => {
    const response = await fetch(places.findingsUrl).catch(() => null);
    if (response?.status !== 200) return;
    swap(await response.text());
    drawFinds();
  }, CHECK_MS);
}

function drawFinds() {
  const counts = new Map([...document.querySelectorAll("#editor-finds > *")].map((one) => [one.dataset.of, one.textContent]));
  for (const item of tree.items) {
    const box = item.querySelector("[data-finds]");
    const words = counts.get(item.dataset.key) ?? "";
    if (box.textContent !== words) box.textContent = words;
  }
}

// --- the tree, and what is done with its current probe

const tree = new Tree(byId("tree"), {
  chosen: () => {
    wanted = false;
    byId("ed-place").textContent = tree.place(places.place);
    look();
  },
  press: (event, typing) => moving.key(event, tree.current) || press(event, typing),
});

/** A key in the tree presses a button of the toolbar, or of a conflict while one is open. */
function press(event, typing) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z") {
    commands[event.shiftKey ? "redo" : "undo"]();
    return true;
  }
  if (event.repeat || (event.key.length === 1 && (typing || keysOff() || event.shiftKey))) return false;
  const key = keyOf(event);
  const found = key && findButton(document, key);
  if (found?.press) found.press.click();
  else if (found) announce(document.body.dataset.notNow);
  return Boolean(found);
}

const moving = new Moving(tree, {
  send: (key, was, to) => {
    const data = { probe: key, was_parent: was.parent, was_after: was.after, ...to };
    announce(`${places.moved}: ${tree.place(places.place, key)}`);
    return saving.act(places.moveUrl, data);
  },
  say: (word, key) => announce(key ? `${tree.place(places.place, key)}. ${places.moving}` : places[word]),
});

/** The current probe and all below it, each with the print of what is shown. */
function shown(key) {
  const keys = withAllBelow(tree.rows, key);
  return { probe: key, shown: keys.map((one) => `${one}:${tree.item(one).dataset.print}`).join(" ") };
}

const dialogs = {
  add: new AddDialog(tree, {
    notice: () => byId("add-notice"),
    send: async (url, data, dialog) => {
      const done = await saving.act(url, data);
      // A conflict stands on the page, and the words that were typed stay in the form.
      if (saving.conflict) dialog.close();
      else if (!done) byId("add-notice").replaceChildren(...byId("editor-notice").cloneNode(true).childNodes);
      return done;
    },
  }),
  move: new MoveDialog(tree, { move: (key, place) => moving.to(key, place) }),
};

const commands = {
  edit: () => edit(),
  add: () => dialogs.add.open(tree.current ? "add" : "first", tree.current),
  insert: () => tree.current && dialogs.add.open("insert", tree.current),
  up: () => moving.once(tree.current, "up"),
  down: () => moving.once(tree.current, "down"),
  out: () => moving.once(tree.current, "out"),
  in: () => moving.once(tree.current, "in"),
  move: () => placeOf(tree.rows, tree.current).parent && dialogs.move.open(tree.current),
  duplicate: () => saving.act(places.duplicateUrl, { probe: tree.current }),
  remove: () => saving.act(places.removeUrl, shown(tree.current)),
  undo: () => back("undo"),
  redo: () => back("redo"),
  "conflict-mine": () => settle(() => saving.keepMine(again)),
  "conflict-theirs": () => settle(() => saving.takeTheirs()),
};

async function back(step) {
  if (await saving.act(places.backUrl, { step })) look();
}

// What an act builds on when it is done again on top of what is saved now.
const again = {
  restore: { url: places.backUrl, data: { step: "restore" } },
  of: ({ data }, kind, theirs) => {
    const given = typeof data === "function" ? data() : data;
    if (kind === "below") return shown(given.probe);
    if (kind !== "place") return given;
    const [parent, after] = theirs.split("/");
    return { ...given, was_parent: parent, was_after: after };
  },
};

const conflictFocus = new ConflictFocus({
  box: () => byId("conflict"),
  // The fields of a probe that is current no more are about to go.
  stays: (element) => (element.closest("#probe-form")?.dataset.probe ?? tree.current) === tree.current,
  otherwise: () => tree.item(tree.current)?.focus(),
});

function settle(choose) {
  const empty = document.createElement("section");
  empty.id = "conflict";
  conflictFocus.settle(() => byId("conflict").replaceWith(empty));
  choose();
  look();
}

document.addEventListener("click", (event) => {
  const goes = event.target.closest("[data-goes]");
  if (goes) {
    event.preventDefault();
    tree.choose(goes.dataset.goes, { focus: true });
  }
  const button = event.target.closest("[data-do]");
  if (button) commands[button.dataset.do]();
});

// A toolbar is one stop of the tabulator; arrows go through it.
byId("editor-tools").addEventListener("keydown", (event) => {
  const buttons = [...byId("editor-tools").querySelectorAll("button:not(:disabled)")];
  const at = buttons.indexOf(event.target);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (event.altKey || at < 0 || next === undefined) return;
  event.preventDefault();
  const to = buttons[(next + buttons.length) % buttons.length];
  for (const button of buttons) button.tabIndex = button === to ? 0 : -1;
  to.focus();
});

document.querySelector(".ed__language").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  // Every text has one field more now: the page is drawn anew.
  if (await saving.act(form.dataset.send, new FormData(form))) location.reload();
});

const asked = location.hash.replace(/^#row-/, "");
tree.draw();
drawFinds();
tree.choose(byId(`row-${asked}`) ? asked : tree.current || tree.rows[0]?.key);
byId("ed-place").textContent = tree.place(places.place);
look();
// Keys act on the tree from the start, unless autofocus or a fragment names another place; #row- names one in the tree.
const elsewhere = location.hash && !byId(`row-${asked}`);
if (!elsewhere && document.activeElement === document.body) tree.item(tree.current)?.focus({ preventScroll: true });
