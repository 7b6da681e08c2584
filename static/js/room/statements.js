// Evidence and reasons: one form for both, and the list of the asking looked at, with what is still on the way.

import { clone } from "../platform/swap.js";

const KINDS = ["evidence", "reason"];

export class Statements {
  constructor({ mine, look, outbox, act, askings }) {
    Object.assign(this, { mine, look, outbox, act, askings });
    this.form = document.getElementById("statement-form");
    this.box = document.querySelector(".evid");
    this.editing = null;
    this.commands = {
      "statement.new": () => this.open(null),
      "statement.edit": (button) => this.open(button.closest("[data-statement]")),
      "statement.remove": (button) => this.remove(button.closest("[data-statement]").dataset),
    };
    // The form stays open while its text is too long.
    this.form?.addEventListener("submit", (event) => this.keep() || event.preventDefault());
  }

  open(row) {
    const asking = this.look.asking;
    if (!asking || !this.form) return;
    const { type, aid, detail } = this.form.elements;
    // A new one begins empty only when the last one was kept; a cancelled draft is still there.
    if (row || this.editing) this.form.reset();
    this.editing = row ? { ...row.dataset } : null;
    if (row) {
      type.value = `${row.dataset.kind}:${row.dataset.type}`;
      aid.value = row.dataset.aid;
      detail.value = row.querySelector(".statement__detail").textContent;
    }
    // An edit keeps its kind: evidence does not turn into a reason.
    for (const radio of type) radio.disabled = Boolean(row) && !radio.value.startsWith(`${row.dataset.kind}:`);
    this.target = asking.id;
    document.getElementById("statement-about").textContent = this.askings.titleOf(asking).text;
    this.form.closest("dialog").showModal();
  }

  keep() {
    const { type, aid, detail } = this.form.elements;
    const [kind, chosen] = type.value.split(":");
    const text = detail.value.trim();
    if (!kind || !aid.value || !text) return true;
    const said = { type: chosen, aid: aid.value, detail: text };
    let kept;
    if (this.editing) {
      const id = this.editing.statement;
      kept = this.act([{ name: `${kind}.edit`, data: { [kind]: id, ...said, version: this.mine.next(`${kind}:${id}`) } }]);
    } else {
      const id = crypto.randomUUID();
      kept = this.act([{ id, name: `${kind}.add`, data: { asked: this.target, ...said } }], () => [
        { name: `${kind}.remove`, data: { [kind]: id, version: this.mine.next(`${kind}:${id}`) } },
      ]);
    }
    if (!kept) return false;
    this.editing = null;
    this.form.reset();
    return true;
  }

  remove({ kind, statement }) {
    this.act([{ name: `${kind}.remove`, data: { [kind]: statement, version: this.mine.next(`${kind}:${statement}`) } }]);
  }

  draw() {
    if (!this.box) return;
    for (const { id } of this.askings.askings()) for (const kind of KINDS) if (!document.getElementById(`my-${kind}-${id}`)) this.#add(kind, id);
    const queued = this.outbox.rows.filter((row) => KINDS.some((kind) => row.name.startsWith(`${kind}.`)) && row.status !== "refused");
    for (const row of queued) if (row.name.endsWith(".add")) this.#show(row);
    for (const one of this.box.querySelectorAll("[data-statement]")) this.#mark(one, queued);
    const states = [...this.box.querySelectorAll(".of[data-local-shown] [data-statement]")].map((one) => this.mine.state(`${one.dataset.kind}:${one.dataset.statement}`, null));
    const worst = ["stale", "refused", "unsent", "sent", "saved"].find((state) => states.includes(state)) ?? "";
    const asking = this.look.asking;
    document.querySelector("[data-save=statements]").dataset.state = asking ? worst : "";
    document.querySelector("[data-command='statement.new']").disabled = !asking || asking.retracted;
  }

  #add(kind, id) {
    const list = clone("t-statements", { set: { id: `my-${kind}-${id}`, "data-of": id } });
    list.toggleAttribute("data-local-shown", this.look.asking?.id === id);
    this.box.append(list);
  }

  // One that the server has not drawn yet.
  #show({ id, name, data }) {
    const kind = name.split(".")[0];
    const list = document.getElementById(`my-${kind}-${data.asked}`);
    if (!list || document.getElementById(`statement-${id}`)) return;
    const row = clone("t-statement", {
      fill: { type: this.#word(`${kind}:${data.type}`), detail: data.detail, aid: this.#word(data.aid) },
      set: { id: `statement-${id}`, "data-statement": id, "data-kind": kind, "data-type": data.type, "data-aid": data.aid },
    });
    list.append(row);
  }

  #word(value) {
    return this.form.querySelector(`input[value="${value}"]`)?.parentElement.textContent.trim() ?? "";
  }

  #mark(one, queued) {
    const { kind, statement: id } = one.dataset;
    const item = `${kind}:${id}`;
    const rows = queued.filter((row) => row.item === item);
    const edit = rows.findLast((row) => row.name.endsWith(".edit"));
    if (edit) {
      one.querySelector(".statement__detail").textContent = edit.data.detail;
      Object.assign(one.dataset, { type: edit.data.type, aid: edit.data.aid });
    }
    one.toggleAttribute("data-local-gone", rows.some((row) => row.name.endsWith(".remove")) || Boolean(this.mine.saved.get(item)?.removed));
    one.dataset.localState = this.mine.state(item, null);
    // Once the server drew it, a morph may take it away again.
    if (one.dataset.version !== undefined) one.removeAttribute("data-local-keep");
    else if (!rows.length && !this.mine.version(item)) one.remove();
    if (!one.querySelector(".statement__do")) one.append(clone("t-statement-do"));
  }
}
