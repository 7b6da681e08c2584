// The interview is over and nothing waits here: does the server have what this device thinks it has?

/** What differs between the server's closing frame and ours: [{kind, here, there}]; [] = nothing lost. */
export function compare(frame, counts, seen) {
  const differs = Object.keys(frame.counts)
    .filter((kind) => kind in counts && counts[kind] !== frame.counts[kind])
    .map((kind) => ({ kind, here: counts[kind], there: frame.counts[kind] }));
  if (frame.mine !== seen) differs.push({ kind: "mine", here: seen, there: frame.mine });
  return differs;
}
