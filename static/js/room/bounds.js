// Where a tree ended: B and its reason, and the reading of one's own marks by the shared rule.

import { boundary, creditOf, endingEffect } from "../core/boundary.js";
import { clone } from "../platform/swap.js";

const SVG = "http://www.w3.org/2000/svg";

export class Bounds {
  constructor({ mine, look, act, askings, words, say }) {
    Object.assign(this, { mine, look, act, askings, words, say });
    this.why = document.getElementById("why-ended");
    this.opener = document.querySelector("[data-command='boundary.open']");
    this.form = document.getElementById("own-form");
    this.met = new Map(); // tree -> whether its discontinue rule was met when it was looked at last
    this.commands = {
      "boundary.open": () => this.toggle(true),
      "boundary.close": () => this.toggle(false),
      "boundary.set": (button) => this.end(button.dataset.value),
      "boundary.confirm": () => this.confirm(),
      "boundary.own": () => this.#openOwn(),
    };
    this.form?.addEventListener("submit", (event) => this.#keepOwn(event));
    this.form?.querySelector("[data-own=clear]").addEventListener("click", () => this.#own(null));
  }

  get tree() {
    return this.look.asking?.tree ?? null;
  }

  toggle(open) {
    if (open && !this.tree) return this.say(this.words("not_asked"));
    this.why.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
  }

  /** Everything the rule reads, for one tree. */
  input(tree) {
    const rows = this.askings.askings().filter((one) => one.tree === tree);
    const asks = rows.map((one) => {
      const { outcome = null, aid = null } = this.mine.value(`mark:${one.id}`);
      return { probe: one.probe, level: one.level, outcome, aid, scored: one.scored, retracted: one.retracted };
    });
    const { ended, asks: stood, said_at: saidAt, override = null } = this.mine.value(`boundary:${tree}`);
    // The page's own count, else all that the panel's stream had when it was said.
    const before = stood ?? (saidAt === undefined ? rows.length : rows.filter((one) => one.seq && one.seq <= saidAt).length);
    return { tree: this.askings.treeRule(tree), asks, ended: ended ? { reason: ended, asks: before } : null, override };
  }

  end(reason) {
    const asking = this.look.asking;
    this.toggle(false);
    if (!asking) return;
    const item = `mark:${asking.id}`;
    const { outcome = null, aid = null } = this.mine.value(item);
    const { tree, asks } = this.input(asking.tree);
    const judged = asks.filter((ask) => ask.scored && !ask.retracted && creditOf(ask.outcome, ask.aid)).length;
    const effect = endingEffect({ reason, asked: !asking.retracted, outcome, aid, optional: tree.optional, judged });
    if (effect.refused) return this.say(this.words(effect.refused));
    const mark = effect.outcome && { name: "mark.set", data: { asked: asking.id, outcome: effect.outcome, version: this.mine.next(item) } };
    const was = this.mine.value(`boundary:${asking.tree}`);
    this.act([...(mark ? [mark] : []), this.#command(asking, { ended: reason, probe: asking.probe })], () => [
      this.#command(asking, { ended: was.ended ?? null }),
      ...(mark ? [{ name: "mark.set", data: { asked: asking.id, outcome, version: this.mine.next(item) } }] : []),
    ]);
  }

  /** The ending still holds although something was asked after it. */
  confirm() {
    const asking = this.look.asking;
    const { ended } = this.mine.value(`boundary:${asking.tree}`);
    if (ended) this.act([this.#command(asking, { ended })]);
  }

  #command({ tree }, said) {
    return { name: "boundary.set", data: { tree, ...said, version: this.mine.next(`boundary:${tree}`) }, extra: { asks: this.askings.countOf(tree) } };
  }

  #openOwn() {
    if (!this.tree) return;
    const { override } = this.mine.value(`boundary:${this.tree}`);
    const { floor, ceiling, reason } = this.form.elements;
    floor.value = override?.floor ?? "";
    ceiling.value = override?.ceiling ?? "";
    reason.value = override?.reason ?? "";
    this.form.closest("dialog").showModal();
  }

  #keepOwn(event) {
    const { floor, ceiling, reason } = this.form.elements;
    const top = ceiling.value === "" ? null : Number(ceiling.value);
    const wrong = top !== null && top <= Number(floor.value);
    document.getElementById("own-error").hidden = !wrong;
    event.preventDefault();
    if (!wrong) this.#own({ floor: Number(floor.value), ceiling: top, reason: reason.value.trim() });
  }

  // The form stays open while its reason is too long.
  #own(override) {
    const asking = this.look.asking;
    const data = { tree: asking?.tree, override, version: this.mine.next(`boundary:${asking?.tree}`) };
    if (!asking || this.act([{ name: "boundary.set", data }])) this.form.closest("dialog").close();
  }

  draw() {
    const box = document.getElementById("derived");
    if (!box) return;
    const tree = this.tree;
    const input = tree && this.input(tree);
    box.hidden = !input?.tree;
    const save = document.querySelector("[data-save=boundary]");
    save.dataset.state = tree ? this.mine.state(`boundary:${tree}`, null) : "";
    this.opener.disabled = !tree;
    document.querySelector("[data-command='boundary.own']").hidden = !tree;
    if (box.hidden) return;
    const read = boundary(input);
    document.querySelector("[data-command='boundary.confirm']").hidden = read.state !== "reopened";
    this.why.querySelector("[data-value=not_expected]").disabled = !input.tree.optional;
    this.#say(box, read);
    this.#announce(tree, read.discontinue, box);
    this.#plot(box.querySelector("svg"), read, input.tree.top_level);
    const region = document.getElementById(`my-boundary-${tree}`);
    this.#drawEnded(region, read.reason);
    this.#drawOwn(region, read.override);
  }

  // Once, when one's own mark met it; not for what was met already when the page was opened.
  #announce(tree, met, box) {
    if (met && this.met.get(tree) === false) this.say(box.querySelector("[data-say=discontinue]").dataset.words);
    this.met.set(tree, met || Boolean(this.met.get(tree)));
  }

  // One's own reading beside the derived one, also while it is on its way.
  #drawOwn(region, override) {
    const shown = region?.querySelector(".bound__own");
    const same = override ? `${override.floor}/${override.ceiling ?? ""}/${override.reason}` : "";
    if (!region || (shown?.dataset.own ?? "") === same) return;
    shown?.remove();
    if (!override) return;
    const which = override.ceiling == null ? "no-ceiling" : "both";
    const fresh = clone(`t-reading-${which}`, { fill: { reason: override.reason }, set: { "data-own": same } });
    const said = fresh.querySelector("[data-words]");
    said.textContent = said.dataset.words.replace("{n}", override.floor).replace("{m}", override.ceiling);
    region.append(fresh);
  }

  // One's own ending stands there at once; the server's frame says the same a moment later.
  #drawEnded(region, reason) {
    let shown = region?.querySelector(".bound__ended");
    if (!reason) shown?.remove();
    if (!reason || !region) return;
    if (!shown) {
      shown = document.createElement("span");
      shown.className = "bound__ended";
      region.prepend(shown);
    }
    shown.textContent = this.#label(reason) ?? shown.textContent;
  }

  #label(reason) {
    return this.why.querySelector(`[data-value="${reason}"] span`)?.textContent;
  }

  #say(box, read) {
    const { floor: n, ceiling: m } = read;
    const order = read.out_of_order[0];
    const said = {
      excluded: read.excluded, nothing: !read.excluded && n === null,
      floor_ceiling: n !== null && m !== null, at_least: read.at_least, floor_only: n !== null && m === null && !read.at_least,
      reopened: read.state === "reopened", needs_miss: read.problem === "needs_miss",
      not_optional: read.problem === "not_optional", has_marks: read.problem === "has_marks",
      order_pass: order?.credit === "pass", order_miss: order?.credit === "miss",
      discontinue: read.discontinue && read.state !== "ended", ratable: read.ratable && !(read.discontinue && read.state !== "ended"),
      ...(read.next && read.state !== "ended" ? { [`next_${read.next.why}`]: true } : {}),
    };
    const numbers = { order_pass: [order?.level, order?.ask_again], order_miss: [order?.level] };
    for (const line of box.querySelectorAll("[data-say]")) {
      const [first, second] = line.dataset.say.startsWith("next_") ? [read.next?.level] : (numbers[line.dataset.say] ?? [n, m]);
      line.hidden = !said[line.dataset.say];
      line.textContent = line.hidden ? "" : line.dataset.words.replace("{n}", first).replace("{m}", second);
    }
  }

  // Filled dot = floor, open square = ceiling, dots = not asked between, arrow = at least; the sentence below says the same.
  #plot(svg, { floor, ceiling, at_least }, top) {
    const last = Math.max(top, floor ?? 0, ceiling ?? 0, 1);
    const x = (level) => 6 + (216 * level) / last;
    const parts = Array.from({ length: last + 1 }, (_, level) => ["path", "p-axis", { d: `M${x(level)} 5v8` }]);
    if (floor !== null) {
      if (floor > 0) parts.push(["path", "p-floor", { d: `M${x(0)} 9H${x(floor)}` }]);
      if (at_least) parts.push(["path", "p-arrow", { d: `M${x(floor)} 9h15m-4-4l4 4l-4 4` }]);
      else parts.push(["path", "p-gap", { d: `M${x(floor)} 9H${x(ceiling ?? last)}` }]);
      parts.push(["circle", "p-floor-dot", { cx: x(floor), cy: 9, r: 4.5 }]);
      if (ceiling !== null) parts.push(["path", "p-open", { d: `M${x(ceiling) - 4.5} 4.5h9v9h-9z` }]);
    }
    svg.replaceChildren(...parts.map(([tag, name, attributes]) => {
      const part = document.createElementNS(SVG, tag);
      part.setAttribute("class", name);
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
      return part;
    }));
  }
}
