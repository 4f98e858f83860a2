const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** A WebSocket that opens itself again, and gives every request a number to find its answer by. */
export class Socket {
  constructor(address, { onMessage, onState }) {
    Object.assign(this, { address, onMessage, onState, waiting: new Map(), ref: 0, wait: FIRST_WAIT });
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.retryNow());
    this.open();
  }

  open() {
    this.timer = null;
    const socket = (this.socket = new WebSocket(this.address));
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onState("open");
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the connection was lost"));
      this.waiting.clear();
      this.onState("reconnecting");
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
    };
  }

  retryNow() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.open();
  }

  receive(message) {
    const asked = this.waiting.get(message.ref);
    if (asked) {
      this.waiting.delete(message.ref);
      if (message.type === "error") asked.reject(new Error(message.message));
      else asked.resolve(message);
    }
    if (message.type !== "error" || !asked) this.onMessage(message);
  }

  /** Sends and forgets; false when there is no connection. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends and promises the first answer. */
  request(message) {
    const ref = ++this.ref;
    return new Promise((resolve, reject) => {
      this.waiting.set(ref, { resolve, reject });
      if (this.send({ ...message, ref })) return;
      this.waiting.delete(ref);
      reject(new Error("there is no connection to the server"));
    });
  }
}
