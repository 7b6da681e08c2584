// One tab of a browser sends; the others hear what changed. A lock names the sender, so the next tab follows when it closes.

export class Tabs {
  /** `changed` is called when another tab changed the outbox, `lead` when this tab becomes the one that sends. */
  constructor(place, { changed, lead }) {
    this.leads = false;
    this.channel = new BroadcastChannel(`sounding/${place}`);
    this.channel.onmessage = changed;
    this.release = () => {};
    navigator.locks
      .request(`sounding/${place}`, () => {
        this.leads = true;
        lead();
        return new Promise((resolve) => {
          this.release = resolve;
        });
      })
      .catch(() => {});
  }

  /** Tell the other tabs to read the outbox again. */
  tell() {
    this.channel.postMessage("changed");
  }

  close() {
    this.leads = false;
    this.release();
    this.channel.close();
  }
}
