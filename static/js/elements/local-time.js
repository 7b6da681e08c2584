// <local-time data-format="datetime|zoned|date|time|clock|weekday"><time datetime="...Z">...</time></local-time>
// Rewrites a UTC moment in the page's language and the person's zone, else the browser's; the title names the zone in
// full, "zoned" also in sight, as tables of zones call it.

const FORMATS = {
  datetime: { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  date: { year: "numeric", month: "short", day: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  clock: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  weekday: { weekday: "short", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

export class LocalTime extends HTMLElement {
  connectedCallback() {
    // The parser may not have read the child yet.
    if (this.firstElementChild) this.draw();
    else queueMicrotask(() => this.draw());
  }

  draw() {
    const time = this.querySelector("time");
    const at = new Date(time?.dateTime ?? "");
    if (!time || Number.isNaN(at.valueOf())) return;
    const language = this.closest("[lang]")?.lang || undefined;
    const timeZone = this.closest("[data-zone]")?.dataset.zone || undefined;
    const options = FORMATS[this.dataset.format] ?? FORMATS.datetime;
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone });
    const zone = this.dataset.format === "zoned" ? ` ${format.resolvedOptions().timeZone}` : "";
    time.textContent = format.format(at) + zone;
    time.title = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long", timeZone }).format(at);
  }
}

customElements.define("local-time", LocalTime);
