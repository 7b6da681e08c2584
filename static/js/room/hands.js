// Raised hands, one's own and the others'; who leads; and what is said of both.

export class Hands {
  /** leads() tells whether this seat holds the lead; ask(probe) asks; seen(): the panel's last event that was heard. */
  constructor({ room, outbox, act, ask, leads, seen, say, words }) {
    Object.assign(this, { room, outbox, leads, seen, say, words });
    const raise = (data) => act([{ name: "hand.raise", data }]);
    this.commands = {
      "hand.raise": () => raise({}),
      "hand.lower": () => act([{ name: "hand.lower", data: {} }]),
      // In the outline: who leads asks, everybody else says what they would ask.
      "outline.press": ({ dataset }) => (leads() ? ask(dataset.probe) : raise({ probe: dataset.probe })),
    };
  }

  /** An event of the panel, after its regions were drawn. */
  hear({ name, by, data }) {
    const own = this.room.dataset.seat;
    if (name === "hand.raise" && by !== own && this.leads()) {
      this.say([this.words("hand"), nameOf(by), document.querySelector(`#hand-${by} [lang]`)?.textContent].filter(Boolean).join(" "));
    } else if (data.lead && name.startsWith("lead.")) {
      this.say(data.lead === own ? this.words("you_lead") : `${this.words("leads")} ${nameOf(data.lead)}`);
    } else if (name === "interview.reopen") this.say(this.words("reopened"));
  }

  onAck({ name }, { seq }) {
    if (name.startsWith("hand.")) this.acked = { name, seq };
  }

  draw() {
    const shown = document.getElementById(`hand-${this.room.dataset.seat}`)?.dataset.up === "true";
    const queued = this.outbox.rows.findLast((row) => row.name.startsWith("hand.") && row.status === "queued");
    // Acknowledged, and its event is a moment behind: the hand stays as it was pressed.
    const last = queued ?? (this.acked?.seq > this.seen() ? this.acked : null);
    this.room.toggleAttribute("data-local-hand", last ? last.name === "hand.raise" : shown);
  }
}

/** The name of who sits there, as the list of seats has it. */
export const nameOf = (seat) => document.querySelector(`#seat-${seat} > span`)?.textContent ?? "";
