// From a press to commands: every button with data-command goes through here, whether a key, a finger or script pressed it.

const ROOM = ["interview.pause", "interview.resume", "interview.end", "lead.take", "candidate.admit", "prompt.unshare"];
const UNDO_DEPTH = 50;

export class Commands {
  /** put(commands); look; say, words; parts: objects with `commands` {name: (button) => void}. */
  constructor({ put, look, askings, say, words }) {
    Object.assign(this, { put, look, askings, say, words });
    this.undos = [];
    this.handlers = {
      ...Object.fromEntries(ROOM.map((name) => [name, () => this.act([{ name, data: {} }])])),
      // With the lead's word for it, where the candidate accepted aloud what is recorded.
      "interview.start": ({ dataset: { consent } }) => this.act([{ name: "interview.start", data: consent ? { consent } : {} }]),
      "probe.ask": (button) => this.ask(button.dataset.probe),
      "lead.hand_over": (button) => this.act([{ name: "lead.hand_over", data: { seat: button.dataset.seat } }]),
      "prompt.share": () => this.share(),
      undo: () => this.undo(),
    };
  }

  add(parts) {
    for (const part of parts) Object.assign(this.handlers, part.commands);
  }

  listen(root) {
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-command]");
      const handler = button && this.handlers[button.dataset.command];
      if (!handler) return;
      handler(button);
      button.closest("[popover]")?.hidePopover();
    });
  }

  /** Put commands; `undo()` gives the commands that take them back, reckoned when it is asked for. Null: not taken. */
  act(commands, undo = null) {
    const named = commands.map((one) => ({ id: one.id ?? crypto.randomUUID(), ...one }));
    if (!this.put(named)) return null;
    if (undo) this.undos = [...this.undos.slice(1 - UNDO_DEPTH), undo];
    return named.map((one) => one.id);
  }

  /** Ask, jump and go back are all this; the command's id is the asking's id. `repeat` may hold a first question back. */
  ask(probe) {
    if (this.repeat?.holds(probe)) return;
    this.look.chosen = null;
    const id = crypto.randomUUID();
    this.act([{ id, name: "probe.ask", data: { probe } }], () => [{ name: "probe.retract", data: { asked: id } }]);
    this.look.follow(null);
  }

  share() {
    const asked = this.look.asking?.id;
    if (asked) this.act([{ name: "prompt.share", data: { asked } }]);
  }

  /** Take back an ask, or give a mark its value before. */
  undo() {
    const last = this.undos.pop();
    if (!last) return this.say(this.words("no_undo"));
    this.act(last());
    this.say(this.words("undone"));
  }
}
