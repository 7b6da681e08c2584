// Which asking one looks at: the current one unless one looked back. Stage and dock follow; what is being typed is not left.

const AIMS = ["depth", "why", "hands_on"];

export class Look {
  /** askings: the module of the rail; changed(): draw everything anew. */
  constructor({ askings, changed }) {
    this.askings = askings;
    this.changed = changed;
    this.chosen = null; // an asking looked back at
    this.held = null; // {id} of the asking whose text is being typed while another one is asked; id null: the whole interview
    this.language = null;
    this.dock = document.getElementById("dock");
    this.commands = {
      "look.now": () => this.go(null),
      "look.back": () => this.step(-1),
      "look.on": () => this.step(1),
      "prompt.language": (button) => this.speak(button.dataset.value),
    };
    document.getElementById("asked-list")?.parentElement.addEventListener("click", (event) => {
      const row = event.target.closest("[data-asked]");
      if (row) this.go(row.dataset.asked);
    });
    this.dock?.addEventListener("focusin", () => {
      if (this.#typing()) this.held ??= { id: this.asking?.id ?? null };
    });
    this.dock?.addEventListener("focusout", () => setTimeout(() => this.held && !this.#typing() && this.changed()));
  }

  /** The asking that marks go to, read at the moment of the press. */
  get asking() {
    const current = this.askings.current();
    if (this.chosen === current?.id) this.chosen = null;
    const back = this.chosen && this.askings.find(this.chosen);
    if (back) return back;
    if (!this.held || !this.#typing()) return current;
    return this.held.id === null ? null : (this.askings.find(this.held.id) ?? current);
  }

  #typing() {
    return Boolean(this.dock?.contains(document.activeElement) && document.activeElement.matches("textarea"));
  }

  go(id) {
    this.chosen = id === this.askings.current()?.id ? null : id;
    this.follow(null);
    this.changed();
  }

  /** K and J: through what was asked, then, for the lead, down the follow-ups; Enter asks the one that is lit. */
  step(by) {
    const buttons = [...document.querySelectorAll("#next-list .next__press")];
    const lit = buttons.findIndex((one) => "localLooked" in one.dataset);
    const all = this.askings.askings().filter((one) => !one.retracted);
    const at = all.findIndex((one) => one.id === this.asking?.id);
    if (lit >= 0 || (by > 0 && (at < 0 || at === all.length - 1))) this.follow(buttons[lit + by] ?? (by < 0 ? null : buttons[lit]));
    else if (all[at + by]) this.go(all[at + by].id);
  }

  /** Light one follow-up, or none; it answers to Enter beside its own key. */
  follow(button) {
    for (const one of document.querySelectorAll("#next-list .next__press")) {
      one.toggleAttribute("data-local-looked", one === button);
      const key = one.querySelector("kbd")?.textContent ?? "";
      one.setAttribute("aria-keyshortcuts", one === button ? `${key} Enter` : key);
    }
    button?.scrollIntoView({ block: "nearest" });
  }

  speak(language) {
    this.language = language;
    this.changed();
  }

  /** The section that shows the question looked at. */
  get section() {
    const looked = document.getElementById("looked-probe");
    return looked && !looked.hidden ? looked : document.getElementById("current-probe");
  }

  aims() {
    const probe = this.asking?.probe;
    const named = document.getElementById(`probe-${probe}`)?.dataset.aims ?? this.section?.dataset.aims ?? "";
    return AIMS.filter((aim) => named.split(" ").includes(aim));
  }

  anchor(aim, rating) {
    return this.section?.querySelector(`.anchors [data-aim="${aim}"][data-rating="${rating}"]`) ?? null;
  }

  draw() {
    const asking = this.asking;
    if (!this.#typing()) this.held = null;
    this.#drawStage(asking);
    for (const row of document.querySelectorAll("#asked-list [data-asked]")) row.toggleAttribute("data-local-looked", row.dataset.asked === asking?.id);
    document.getElementById("look-back")?.toggleAttribute("hidden", !asking || asking.current);
    if (!this.dock) return;
    this.dock.dataset.asked = asking?.id ?? "";
    this.dock.toggleAttribute("data-judging", Boolean(asking) && !asking.retracted);
    document.getElementById("dock-about").textContent = asking ? this.askings.titleOf(asking).text : "";
    for (const of of this.dock.querySelectorAll(".of")) {
      const id = of.dataset.of;
      of.toggleAttribute("data-local-shown", id === asking?.id || id === asking?.tree || (id === "general" && !asking));
    }
  }

  #drawStage(asking) {
    const drawn = document.getElementById("current-probe");
    const looked = document.getElementById("looked-probe");
    const other = Boolean(asking) && drawn?.dataset.asked !== asking.id;
    const source = other && document.getElementById(`probe-${asking.probe}`)?.content.querySelector("section");
    looked.hidden = !source;
    document.getElementById("stage-current").hidden = Boolean(source);
    if (source && looked.dataset.asked !== asking.id) {
      looked.replaceChildren(...source.cloneNode(true).childNodes);
      looked.dataset.asked = asking.id;
      looked.querySelector("[data-clock=since]")?.setAttribute("data-since", new Date(asking.madeAt).toISOString());
    }
    this.#drawLanguages();
  }

  #drawLanguages() {
    const prompts = [...(this.section?.querySelectorAll(".now__prompt[lang]") ?? [])];
    const chosen = prompts.find((one) => one.lang === this.language) ?? prompts[0];
    for (const prompt of prompts) prompt.hidden = prompt !== chosen;
    const box = document.getElementById("languages");
    const wanted = prompts.filter((one) => one !== chosen).map((one) => one.lang);
    if (box.dataset.languages === wanted.join(" ")) return;
    box.dataset.languages = wanted.join(" ");
    box.replaceChildren(...wanted.map((lang) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--plain now__btn";
      button.lang = lang;
      button.dataset.command = "prompt.language";
      button.dataset.value = lang;
      // The language's name in itself, from the browser: no word of ours.
      button.textContent = new Intl.DisplayNames([lang], { type: "language" }).of(lang);
      return button;
    }));
  }
}
