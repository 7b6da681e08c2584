// The line to a room: one WebSocket that comes back by itself, says how it stands, and hands on frames. It knows frames and
// heartbeats, no outbox: what to answer a ping with, and where the cursors are, it asks.

import { delay, isFinal } from "../core/backoff.js";

export const SILENCE_MS = 18_000;
const OPENING_MS = 10_000;
const OURS = 4000; // a close of our own: begin anew at once

/** The whole address of a socket here, with its query: safe where the page is. */
export const address = (path, query) => `${location.origin.replace(/^http/, "ws")}${path}?${query}`;

export class Line {
  /**
   * `address()` gives the socket's address with its cursors; `frame(frame)` takes every frame but pings;
   * `pong()` gives the fields of the answer to a ping; `state(name, code)` hears "connecting", "live", "waiting", "closed".
   */
  constructor({ address, frame, pong, state }) {
    Object.assign(this, { address, frame, pong, state });
    this.attempt = 0;
    this.socket = null;
    this.live = false;
    this.ended = false;
    for (const [target, name] of [[window, "online"], [window, "pageshow"], [document, "visibilitychange"]]) {
      target.addEventListener(name, () => this.#hurry());
    }
    window.addEventListener("offline", () => this.#watch(SILENCE_MS / 6));
  }

  open() {
    if (this.ended || this.socket) return;
    clearTimeout(this.retry);
    this.state("connecting");
    const socket = new WebSocket(this.address());
    this.socket = socket;
    this.#watch(OPENING_MS);
    socket.onmessage = (event) => this.#onMessage(socket, event.data);
    socket.onclose = (event) => this.#onClose(socket, event.code);
  }

  /** Send a frame; false when there is no line. */
  send(frame) {
    if (!this.live || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Start anew at once: a gap was seen, or nothing was heard. */
  restart() {
    const socket = this.socket;
    if (!socket) return;
    socket.close(OURS);
    // A half-open line may take minutes to say that it is closed; we don't wait for it.
    this.#onClose(socket, OURS);
  }

  /** Close for good. */
  close() {
    this.ended = true;
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.socket?.close(1000);
    this.socket = null;
    this.live = false;
  }

  #onMessage(socket, text) {
    if (socket !== this.socket) return;
    this.heardAt = performance.now();
    this.#watch(SILENCE_MS);
    const frame = JSON.parse(text);
    if (frame.type === "welcome") {
      this.live = true;
      this.frame(frame);
      this.state("live");
    } else if (frame.type === "ping") {
      // Answered here, in the message handler: timers sleep in a hidden tab.
      // Only a line that lasted to its first ping counts as good; one that breaks at once is tried ever more slowly.
      this.attempt = 0;
      this.frame(frame);
      this.send({ type: "pong", ...this.pong() });
    } else {
      this.frame(frame);
    }
  }

  #onClose(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.live = false;
    clearTimeout(this.silence);
    if (this.ended) return;
    if (isFinal(code)) {
      this.ended = true;
      this.state("closed", code);
      return;
    }
    this.state("waiting", code);
    this.retry = setTimeout(() => this.open(), code === OURS && !this.attempt ? 0 : delay(this.attempt, code));
    this.attempt += 1;
  }

  #watch(milliseconds) {
    clearTimeout(this.silence);
    if (this.socket) this.silence = setTimeout(() => this.restart(), milliseconds);
  }

  #hurry() {
    if (document.hidden || this.ended) return;
    if (!this.socket) this.open();
    // The machine slept, and its timers with it.
    else if (this.live && performance.now() - this.heardAt > SILENCE_MS) this.restart();
  }
}
