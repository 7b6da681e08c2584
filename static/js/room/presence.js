// Who is on line, by frames that may be lost; and what follows for the buttons.

const LEAD_AWAY_MS = 60_000;

export class Presence {
  constructor({ room, say }) {
    Object.assign(this, { room, say });
    this.here = null;
    this.leadGone = null;
  }

  /** {seats: [{seat, role, here}]}; what was heard last is kept for a page that opens without a line. */
  hear({ seats }) {
    this.here = new Set(seats.filter((one) => one.here).map((one) => one.seat));
    this.draw();
  }

  /** Whether an interviewer beside us was here when we heard last; they could take a lost lead. */
  others(remembered) {
    const here = this.here ?? new Set(remembered);
    const rows = [...document.querySelectorAll("#presence [data-role=interviewer]")];
    return rows.some(({ dataset }) => dataset.seat !== this.room.dataset.seat && here.has(dataset.seat));
  }

  draw() {
    const { seat } = this.room.dataset;
    // Not #room's: whoever handed the lead over, or took it, has another role than the page was drawn with.
    const role = document.getElementById(`seat-${seat}`)?.dataset.role;
    const status = document.getElementById("room-status")?.dataset.status;
    if (status) this.room.dataset.localStatus = status;
    let waiting = false;
    let leadHere = true;
    for (const row of document.querySelectorAll("#presence [data-seat]")) {
      const here = row.dataset.seat === seat || Boolean(this.here?.has(row.dataset.seat));
      row.toggleAttribute("data-local-here", here);
      row.toggleAttribute("data-local-you", row.dataset.seat === seat);
      if (row.dataset.role === "candidate") this.room.toggleAttribute("data-local-consented", row.dataset.consent === "true");
      if (row.dataset.role === "candidate") waiting = (here && row.dataset.admitted === "false") || "second" in row.dataset;
      if (row.dataset.role === "lead") leadHere = here || this.here === null;
    }
    this.room.toggleAttribute("data-local-known", this.here !== null);
    this.room.toggleAttribute("data-local-waiting", waiting);
    const shared = document.getElementById("shared-prompt");
    const asked = document.getElementById("dock")?.dataset.asked;
    document.getElementById("lead-prompt")?.toggleAttribute("data-local-sharing", shared?.dataset.shared === "true" && (!asked || shared.dataset.asked === asked));
    this.leadGone = leadHere ? null : (this.leadGone ?? Date.now());
    const take = document.getElementById("take-lead");
    if (!take) return;
    const before = take.hidden;
    take.hidden = role !== "interviewer" || !this.leadGone || Date.now() - this.leadGone < LEAD_AWAY_MS || status === "ended";
    if (before && !take.hidden) this.say(take.querySelector("span").textContent);
  }
}
