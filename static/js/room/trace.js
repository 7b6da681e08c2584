// In debug: one trace from the key press to the paint, by the command's id, which the server's log names too.
// Marks and measures stand in the browser's performance timeline; the console gets one line a command.

const STEPS = ["press", "kept", "sent", "acked", "painted"];

/** Watch an outbox: `put` and `send` are its own, so that what is measured is what happens. */
export function trace(outbox, { room }) {
  const pressed = { at: 0 };
  const name = (id, step) => `sounding:${id}:${step}`;
  const mark = (id, step, at) => performance.mark(name(id, step), at === undefined ? {} : { startTime: at });
  // The press: whatever was pressed last before commands are put; a key's own time stamp, before any script ran.
  for (const kind of ["keydown", "pointerdown"]) {
    document.addEventListener(kind, (event) => (pressed.at = event.timeStamp), { capture: true, passive: true });
  }

  const { put, send, acked } = outbox;
  outbox.put = (commands) => {
    for (const { id } of commands) mark(id, "press", pressed.at || performance.now());
    const kept = put.call(outbox, commands);
    // Null: a text was too long, nothing was taken.
    if (!kept) return null;
    return kept.then((done) => {
      for (const { id } of commands) mark(id, "kept");
      return done;
    });
  };
  outbox.send = (frame) => {
    const went = send(frame);
    if (went) mark(frame.id, "sent");
    return went;
  };
  outbox.acked = (row, frame) => {
    mark(row.id, "acked");
    acked(row, frame);
    // Two frames: the first is asked for before the change is drawn, the second when it was.
    requestAnimationFrame(() => requestAnimationFrame(() => tell(row.id, row.name, frame)));
  };

  function tell(id, command, frame) {
    mark(id, "painted");
    const marks = STEPS.map((step) => performance.getEntriesByName(name(id, step), "mark").at(-1));
    const [first] = marks;
    if (!first) return;
    const times = {};
    for (const [index, entry] of marks.entries()) {
      if (!entry) continue;
      times[STEPS[index]] = Math.round((entry.startTime - first.startTime) * 10) / 10;
      if (index) performance.measure(`sounding ${command} ${STEPS[index]}`, { start: first.startTime, end: entry.startTime, detail: { id, room } });
    }
    console.debug("sounding", { command, id, stream: frame.stream, seq: frame.seq, ...times });
    for (const step of STEPS) performance.clearMarks(name(id, step));
  }
}
