/** What an owner holds: its fence goes with every write, and before each act it asks whether it still may. */
export interface Lease {
  readonly name: string;
  /** Higher than that of every owner before. */
  readonly fence: number;
  /** Whether by this machine's clock nobody else can have begun. Costs nothing; ask at once before each act. */
  valid(): boolean;
  /**
   * Whether it is this instance's still. While it is and not valid, the store has not taken a sign of life in time: wait,
   * and write nothing, for it may be valid again. Once false it stays so.
   */
  held(): boolean;
  /** The engine answered `Fenced`: there is a newer owner. `lost` is called; may be said several times. */
  fenced(): void;
}

export interface Holder {
  /** This instance owns the name from now on. A rejection gives it up, so that another instance may try. */
  acquired(lease: Lease): Promise<void> | void;
  /**
   * `handover`: it is still owned and is released when this resolves: finish and write what is at hand, within seconds.
   * `lost`: it is not owned any more: stop, and write nothing. Never called while `acquired` runs; perhaps after it was
   * rejected, or after a handover.
   */
  lost(how: 'handover' | 'lost'): Promise<void> | void;
}

/** A name that this instance would own, its lease while it does, and what it does for it: one call of the holder after the other. */
export class Candidacy {
  readonly name: string;
  readonly rank: number;
  readonly #holder: Holder;
  readonly #failed: (candidacy: Candidacy, error: unknown) => void;
  lease: Lease | undefined;
  /** Being handed over: owned, but not for long. */
  giving = false;
  /** The engine refused this fence although the lease still bore it. */
  fencedAt: number | undefined;
  /** It could not be begun here: not before this time again. */
  restUntil = Number.NEGATIVE_INFINITY;
  /** First seen free, while it is. */
  freeSince: number | undefined;
  #calls = 0;
  #chain: Promise<void> = Promise.resolve();

  constructor(name: string, rank: number, holder: Holder, failed: (candidacy: Candidacy, error: unknown) => void) {
    this.name = name;
    this.rank = rank;
    this.#holder = holder;
    this.#failed = failed;
  }

  /** Whether the holder is still about what it was told before. */
  get busy(): boolean {
    return this.#calls > 0;
  }

  begin(lease: Lease): void {
    this.lease = lease;
    void this.#next(() => this.#holder.acquired(lease));
  }

  /** Resolves when the holder has ended. */
  end(how: 'handover' | 'lost'): Promise<void> {
    return this.#next(() => this.#holder.lost(how));
  }

  /** Resolves when the holder has done what it was told. */
  settled(): Promise<void> {
    return this.#chain;
  }

  #next(call: () => Promise<void> | void): Promise<void> {
    this.#calls++;
    this.#chain = this.#chain
      .then(call)
      .catch((error: unknown) => this.#failed(this, error))
      .finally(() => {
        this.#calls--;
      });
    return this.#chain;
  }
}
