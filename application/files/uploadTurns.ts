/** Uploads at once, over all stores. Each may hold a few parts of its file in memory. */
const MOST = 64;

/** A store has another turn only while fewer are its own than are free: one alone takes half, and one is always left. */
export class UploadTurns {
  readonly #own = new Map<string, number>();
  readonly #most: number;
  #busy = 0;
  constructor(most = MOST) {
    this.#most = most;
  }

  /** Answers how the turn is given back, once; undefined: there is none now. */
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
