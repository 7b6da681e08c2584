// Going on with an interview that has ended. The reason stays in its field until the room does go on.

export class Reopening {
  constructor({ act }) {
    this.form = document.getElementById("reopen-form");
    this.form?.addEventListener("submit", () => act([{ name: "interview.reopen", data: { reason: this.form.elements.reason.value.trim() } }]));
  }

  hear({ name }) {
    if (name === "interview.reopen") this.form?.reset();
  }
}
