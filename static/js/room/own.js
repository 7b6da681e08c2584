// Questions of the lead's own, and what was changed of the trees: the page's templates follow, with a line or without one.

import { ownName, treeOf } from "../core/delivery.js";

const TITLE = 80;
const titleOf = (text) => (text.length > TITLE ? `${text.slice(0, TITLE - 1)}…` : text);
const templateOf = (name) => document.getElementById(`probe-${name}`);
const offered = (name) => document.querySelector(`#next-list [data-probe="${CSS.escape(name)}"]`);

export class Own {
  constructor({ askings, look, act, say, words }) {
    Object.assign(this, { askings, look, act, say, words });
    this.form = document.getElementById("question-form");
    this.wording = document.getElementById("wording-form");
    this.commands = {
      "own.open": () => this.open(),
      "wording.open": () => this.openWording(),
      "tree.earlier": ({ dataset }) => this.#edit(dataset.tree, { op: "move", probe: dataset.probe, after: dataset.after || null }),
    };
    this.form?.addEventListener("submit", (event) => this.#keep(event));
    this.wording?.addEventListener("submit", (event) => this.#keepWording(event));
  }

  open() {
    const asked = this.askings.askings().filter((one) => !one.retracted).reverse();
    const current = this.look.asking ?? asked[0];
    if (!current) return this.say(this.words("not_asked"));
    const known = new Set();
    const options = asked.filter(({ probe }) => !known.has(probe) && known.add(probe)).map((one) => {
      const { text, lang } = this.askings.titleOf(one);
      const option = new Option(text, one.probe, false, one.probe === current.probe);
      option.lang = lang;
      return option;
    });
    this.form.elements.parent.replaceChildren(...options);
    this.form.querySelector("[data-question-add]").hidden = !document.querySelector("[data-command='wording.open']");
    document.getElementById("question-error").hidden = true;
    this.form.closest("dialog").showModal();
  }

  #keep(event) {
    const { text, parent, kind } = this.form.elements;
    const aims = [...this.form.querySelectorAll("[name=aims]:checked")].map((one) => one.value);
    document.getElementById("question-error").hidden = aims.length > 0;
    if (!aims.length || !text.value.trim()) return event.preventDefault();
    const language = this.#shown()?.lang;
    const said = { parent: parent.value, kind: kind.value, aims, text: text.value.trim(), ...(language ? { language } : {}) };
    const taken = event.submitter?.value === "add" ? this.#edit(treeOf(said.parent), { op: "add", ...said }) : this.#ask(said);
    // Words that are too long to send stay in their field.
    if (taken) text.value = "";
    else event.preventDefault();
  }

  #ask(said) {
    const id = crypto.randomUUID();
    const taken = this.act([{ id, name: "probe.adhoc", data: said }], () => [{ name: "probe.retract", data: { asked: id } }]);
    if (taken) this.look.chosen = null;
    return taken;
  }

  #shown() {
    return this.look.section?.querySelector(".now__prompt[lang]:not([hidden])") ?? null;
  }

  openWording() {
    const prompt = this.#shown();
    if (!this.look.asking || !prompt) return this.say(this.words("not_asked"));
    this.probe = this.look.asking.probe;
    this.language = prompt.lang;
    this.wording.elements.text.value = prompt.textContent;
    this.wording.elements.text.lang = prompt.lang;
    this.wording.closest("dialog").showModal();
  }

  #keepWording(event) {
    const text = this.wording.elements.text.value.trim();
    const said = { op: "text", probe: this.probe, text, ...(this.language ? { language: this.language } : {}) };
    if (text && !this.#edit(treeOf(this.probe), said)) event.preventDefault();
  }

  #edit(tree, said) {
    return this.act([{ name: "tree.edit", data: { tree, ...said } }]);
  }

  /** Own questions that are still on their way; called before the rail is drawn, which shows their askings. */
  overlay(rows) {
    for (const row of rows) if (row.status === "queued" && ownName(row)) this.#plant(ownName(row), row.data);
  }

  /** It was refused: nothing can be asked by that name. */
  drop(row) {
    const name = ownName(row);
    if (!name) return;
    templateOf(name)?.remove();
    offered(name)?.closest("li").remove();
  }

  /** An event of the panel that changes what the trees say. */
  hear({ name, data }) {
    if (name === "probe.adhoc" || data.op === "add") this.#plant(data.probe, data);
    else if (data.op === "text") this.#word(templateOf(data.probe), data);
    else if (data.op === "move") this.#move(templateOf(data.probe), data);
  }

  #plant(name, { parent, kind, aims, text, language = "" }) {
    const above = templateOf(parent);
    const made = templateOf(name) ? null : document.getElementById("t-own")?.cloneNode(true);
    if (!made || !above) return;
    const level = Number(above.dataset.level) + (kind === "rescue" ? 0 : 1);
    const tree = treeOf(name);
    made.id = `probe-${name}`;
    Object.assign(made.dataset, { probe: name, parent, tree, level, scored: "true", aims: aims.join(" "), title: titleOf(text), lang: language });
    const body = made.content;
    body.querySelector(".next__press").dataset.probe = name;
    for (const one of body.querySelectorAll("[data-kind]")) if (one.dataset.kind !== kind) one.remove();
    for (const one of body.querySelectorAll("[data-aim]")) if (!aims.includes(one.dataset.aim)) one.remove();
    for (const one of body.querySelectorAll("[data-fill=level]")) one.textContent = one.dataset.words.replace("{n}", level);
    const title = document.getElementById(`tree-${tree}`)?.querySelector(".plan__name");
    Object.assign(body.querySelector("[data-fill=tree]"), { textContent: title?.textContent ?? "", lang: title?.lang ?? "" });
    this.#say(body, text, language);
    place(above, made);
    this.#offer(name, parent, body);
  }

  // Behind the follow-ups that stand there: the others keep their keys.
  #offer(name, parent, body) {
    const list = document.getElementById("next-list");
    if (document.getElementById("next-probes")?.dataset.for !== parent || !list || offered(name)) return;
    list.querySelector(".next__none")?.remove();
    list.append(body.querySelector(".next__one").cloneNode(true));
  }

  #say(body, text, language) {
    for (const one of body.querySelectorAll("[data-fill=text]")) Object.assign(one, { textContent: text, lang: language });
  }

  // The prompt in that language, in the section that is shown and in the follow-up that is pressed.
  #word(template, { text, language }) {
    if (!template) return;
    const prompts = [...template.content.querySelectorAll(".now__prompt, .next__prompt")];
    for (const one of prompts) if (one.lang === language) one.textContent = text;
    if (template.content.querySelector("[data-fill=text]")) template.dataset.title = titleOf(text);
    const looked = document.getElementById("looked-probe");
    if (looked) delete looked.dataset.asked; // drawn anew from the template
  }

  #move(template, { parent, after }) {
    const above = templateOf(parent);
    if (!template || !above) return;
    template.dataset.parent = parent;
    place(above, template, after === null ? null : templateOf(after));
  }
}

/** Put `one` behind its sibling `after`, before all its siblings (null), or behind the last of them (undefined). */
function place(above, one, after) {
  const siblings = [...document.querySelectorAll("template[data-parent]")].filter(
    (other) => other !== one && other.dataset.parent === above.dataset.probe,
  );
  if (after === null && siblings.length) siblings[0].before(one);
  else (after ?? siblings.at(-1) ?? above).after(one);
}
