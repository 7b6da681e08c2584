// The no-repeat guard: before the first question of a tree that an earlier interview opened, one question to the lead.
// It blocks nothing: the same press again asks.

export class Repeat {
  constructor({ askings, words, say, ask }) {
    Object.assign(this, { askings, words, say, ask });
    this.box = document.getElementById("repeat");
    this.asked = new Set(); // trees about which the lead said yes
    this.probe = null;
    this.commands = {
      "repeat.ask": () => this.ask(this.probe),
      "repeat.leave": () => this.#show(null),
    };
  }

  /** Trees that other interviews of the application opened, as the server said last. */
  get opened() {
    return (document.getElementById("lead-bar")?.dataset.opened ?? "").split(" ").filter(Boolean);
  }

  /** Whether a question waits for a second press. */
  holds(probe) {
    const tree = probe.slice(0, probe.indexOf("/"));
    const again = this.probe === probe;
    this.#show(null);
    if (!this.box || again || this.asked.has(tree) || !this.opened.includes(tree) || this.askings.countOf(tree)) {
      this.asked.add(tree);
      return false;
    }
    this.#show(probe);
    this.say(this.words("opened_before"));
    return true;
  }

  #show(probe) {
    this.probe = probe;
    if (this.box) this.box.hidden = !probe;
  }

  draw() {
    const opened = this.opened;
    for (const row of document.querySelectorAll("#asked-list .plan__tree")) row.toggleAttribute("data-local-opened", opened.includes(row.dataset.tree));
  }
}
