// One tab of a browser sends; the others hear what changed. A lock names the sender, so the next tab follows when it closes.

export class Tabs {
  /** `hear(message)` is called when another tab told something, `lead` when this tab becomes the one that sends. */
  constructor(place, { hear, lead }) {
    this.leads = false;
    this.channel = new BroadcastChannel(`sounding/${place}`);
    this.channel.onmessage = ({ data }) => hear(data);
    this.release = () => {};
    this.leaving = new AbortController();
    navigator.locks
      .request(`sounding/${place}`, { signal: this.leaving.signal }, () => {
        this.leads = true;
        lead();
        return new Promise((resolve) => {
          this.release = resolve;
        });
      })
      .catch(() => {});
  }

  tell(message) {
    this.channel.postMessage(message);
  }

  /** This tab has no line any more, for good: let another one send. */
  giveUp() {
    this.leads = false;
    this.leaving.abort();
    this.release();
  }

  close() {
    this.giveUp();
    this.channel.close();
  }
}
