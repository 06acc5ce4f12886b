/** Maximum concurrent uploads over all stores. Each may buffer a few parts of its file. */
const MOST = 64;

/**
 * Slots for uploads. A store gets another slot only while it uses fewer than are free: one store alone uses half, and one slot is always
 * free.
 */
export class UploadTurns {
  readonly #own = new Map<string, number>();
  readonly #most: number;
  #busy = 0;
  constructor(most = MOST) {
    this.#most = most;
  }

  /** Returns a function that releases the slot, to be called once. Undefined: no slot is free. */
  begin(workspaceId: string): (() => void) | undefined {
    const own = this.#own.get(workspaceId) ?? 0;
    const free = this.#most - this.#busy;
    if (free <= 0 || (own > 0 && own >= free)) return undefined;
    this.#own.set(workspaceId, own + 1);
    this.#busy += 1;
    return () => {
      this.#busy -= 1;
      const left = (this.#own.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#own.delete(workspaceId);
      else this.#own.set(workspaceId, left);
    };
  }
}
