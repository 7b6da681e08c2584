// Words of the page, taken from where the server wrote them. Script has none of its own.

const list = document.getElementById("t-words")?.content;

export const words = (name) => list?.querySelector(`[data-word="${name}"]`)?.textContent ?? "";

const AIMS = ["depth", "why", "hands_on"];

/** Returns describe(item) -> whose it is; describe(item, value) -> what it says. */
export function describer({ askings, word }) {
  const aim = (name) => document.querySelector(`[data-command='aim.choose'][data-value="${name}"] span`)?.textContent ?? name;
  const ended = (reason) => document.querySelector(`#why-ended [data-value="${reason}"] span`)?.textContent ?? reason;
  const form = (value) => document.querySelector(`#statement-form input[value="${value}"]`)?.parentElement.textContent.trim() ?? "";

  function about(item) {
    const [kind, id] = split(item);
    if (kind === "boundary") {
      return `${words(kind)}: ${document.getElementById(`tree-${id}`)?.querySelector(".plan__name").textContent ?? id}`;
    }
    const asking = askings.find(id);
    if (kind === "note" && id === "-") return `${words(kind)}: ${words("whole")}`;
    return asking ? `${words(kind)}: ${askings.titleOf(asking).text}` : words(kind);
  }

  function says(item, value) {
    const [kind] = split(item);
    const parts = [];
    if (kind === "mark") {
      if (value.outcome) parts.push(word("outcome", value.outcome));
      if (value.aid) parts.push(word("aid", value.aid));
      for (const name of AIMS) if (value.ratings?.[name] != null) parts.push(`${aim(name)} ${value.ratings[name]}`);
      if (value.confidence) parts.push(word("confidence", value.confidence));
    } else if (kind === "boundary") {
      if (value.ended) parts.push(ended(value.ended));
      if (value.override) parts.push(`${value.override.floor}-${value.override.ceiling ?? ""} ${value.override.reason ?? ""}`);
    } else if (kind === "note" || kind === "own") {
      parts.push(value.text ?? "");
    } else {
      if (value.type) parts.push(form(`${kind}:${value.type}`));
      if (value.detail) parts.push(value.detail);
    }
    return parts.filter(Boolean).join(", ") || words("nothing");
  }

  return (item, value) => (value === undefined ? about(item) : says(item, value));
}

function split(item) {
  const at = item.indexOf(":");
  return [item.slice(0, at), item.slice(at + 1)];
}
