// What is left before the end, from one's own marks and presence; each line leads to its question. Works without a line.

import { checklist } from "../core/closing.js";
import { serverNow } from "../platform/clock.js";
import { clone } from "../platform/swap.js";

export class Checklist {
  /** room: its data says which seat is one's own; bounds: knows each tree's ending. */
  constructor({ room, mine, look, askings, bounds }) {
    Object.assign(this, { room, mine, look, askings, bounds });
    this.box = document.getElementById("closing");
    this.dialog = this.box?.closest("dialog");
    const before = JSON.parse(document.getElementById("connected")?.textContent ?? "[]");
    this.line = before.map(([since, until]) => [Date.parse(since), Date.parse(until)]);
    this.commands = {
      "closing.open": () => this.open(),
      "closing.go": (button) => this.look.go(button.dataset.asked),
    };
  }

  /** The page's line came or went: who has none is not present for what is asked meanwhile. */
  lineIs(live) {
    const last = this.line.at(-1);
    const stands = last?.[1] === null;
    if (live && !stands) this.line.push([serverNow(), null]);
    else if (!live && stands) last[1] = serverNow();
  }

  open() {
    if (!this.dialog || this.dialog.open) return;
    this.#fill();
    this.dialog.showModal();
  }

  /** Everything the rule reads. */
  input() {
    const { seat } = this.room.dataset;
    const asks = this.askings.askings().map(({ id, tree, probe, level, scored, retracted, madeAt, row }) => {
      const { outcome = null, aid = null, ratings = {} } = this.mine.value(`mark:${id}`);
      const own = row.dataset.by === seat || "localAsked" in row.dataset;
      return { id, tree, probe, level, made_at: madeAt, scored, retracted, own, aims: this.askings.aimsOf(probe), outcome, aid, ratings };
    });
    const trees = this.askings.trees().map((key) => ({ key, rule: this.askings.treeRule(key), ended: this.bounds.input(key).ended }));
    return { asks, trees, line: this.line, now: serverNow() };
  }

  #fill() {
    const { unmarked, boundaries, thin, absent } = checklist(this.input());
    const words = this.box.dataset;
    const why = { missing: words.missing, reopened: words.reopened, not_ratable: words.notRatable };
    this.#list("unmarked", unmarked.map((asked) => ({ asked, what: this.#title(asked), why: "" })));
    this.#list("boundaries", boundaries.map(({ tree, why: open, asked, level }) => ({
      asked, what: this.askings.treeTitle(tree),
      why: [why[open], level && words.level.replace("{n}", level)].filter(Boolean).join(", "),
    })));
    this.#list("thin", thin.map(({ aim, ratings, asked }) => ({
      asked, what: { text: document.querySelector(`[data-command='aim.choose'][data-value="${aim}"] span`).textContent, lang: "" },
      why: words.ratings.replace("{n}", ratings),
    })));
    const missed = this.box.querySelector("[data-part=absent]");
    missed.hidden = !absent.length;
    missed.textContent = missed.dataset.words.replace("{n}", absent.length);
    this.box.querySelector("[data-part=nothing]").hidden = Boolean(unmarked.length || boundaries.length || thin.length);
  }

  #title(asked) {
    return this.askings.titleOf(this.askings.find(asked));
  }

  #list(part, lines) {
    const section = this.box.querySelector(`[data-part=${part}]`);
    section.hidden = !lines.length;
    section.querySelector("ul").replaceChildren(...lines.map(({ asked, what, why }) => {
      const row = clone("t-closing", { fill: { what: what.text, why } });
      const button = row.querySelector("button");
      button.lang = what.lang;
      button.dataset.asked = asked ?? "";
      // Nothing heard that could be rated: said, and nowhere to go.
      button.disabled = !asked;
      return row;
    }));
  }

  draw() {
    if (this.dialog?.open) this.#fill();
  }
}
