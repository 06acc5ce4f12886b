/**
 * Decides which thread writes the file of the read models next. The engine accepts one writer at a time, and wakes
 * waiters in arbitrary order. With this gate, threads that fill builds take turns, and live projections go first.
 */
const WAITING = 0;
const HOLDER = 1;
const LIVE = 2;
const FIELDS = 3;

/** Longest wait of a filling thread at the gate, in ms. After that it waits for the engine's own lock. */
const MOST_MS = 5000;
const LOOK_MS = 100;

export const gateMemory = (): SharedArrayBuffer => new SharedArrayBuffer(FIELDS * Int32Array.BYTES_PER_ELEMENT);

export class WriteGate {
  readonly #fields: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#fields = new Int32Array(memory);
  }

  /** True if live projections wait for short writes of the other threads. */
  get hasLive(): boolean {
    return Atomics.load(this.#fields, LIVE) === 1;
  }
  set hasLive(live: boolean) {
    Atomics.store(this.#fields, LIVE, live ? 1 : 0);
  }

  /** Runs a write of the live projections, after the write in progress. */
  async first<T>(write: () => Promise<T>): Promise<T> {
    Atomics.add(this.#fields, WAITING, 1);
    try {
      return await write();
    } finally {
      Atomics.sub(this.#fields, WAITING, 1);
      Atomics.notify(this.#fields, WAITING);
    }
  }

  /** Runs a write of the thread with this number (from 1). The whole thread blocks until its turn. */
  async next<T>(number: number, write: () => Promise<T>): Promise<T> {
    this.#enter(number);
    try {
      return await write();
    } finally {
      this.release(number);
    }
  }

  /** Releases the gate if this thread has it. The thread may have ended. */
  release(number: number): void {
    if (Atomics.compareExchange(this.#fields, HOLDER, number, 0) === number) Atomics.notify(this.#fields, HOLDER);
  }

  #enter(number: number): void {
    for (const end = performance.now() + MOST_MS; performance.now() < end; ) {
      const waiting = Atomics.load(this.#fields, WAITING);
      if (waiting > 0) Atomics.wait(this.#fields, WAITING, waiting, LOOK_MS);
      else {
        const holder = Atomics.compareExchange(this.#fields, HOLDER, 0, number);
        if (holder === 0) return;
        Atomics.wait(this.#fields, HOLDER, holder, LOOK_MS);
      }
    }
  }
}
