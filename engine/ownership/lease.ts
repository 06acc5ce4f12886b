/** Ownership of a name. Send its fence with every write, and check `valid` before each act. */
export interface Lease {
  readonly name: string;
  /** Higher than the fence of every previous owner. */
  readonly fence: number;
  /** True if no other instance can have begun, by this machine's clock. Costs nothing; check right before each act. */
  valid(): boolean;
  /**
   * True if this instance still owns it. If it is owned but not valid, the store has not accepted a heartbeat in time:
   * wait and write nothing, since it may become valid again. Once false, it stays false.
   */
  isOwned(): boolean;
  /**
   * Reports that the engine answered `Fenced`, so there is a newer owner. `lost` is called. May be called repeatedly.
   */
  fenced(): void;
}

export interface Holder {
  /** Called when this instance owns the name. A rejection gives the name up, so that another instance may try. */
  acquired(lease: Lease): Promise<void> | void;
  /**
   * `handover`: the name is still owned, and is released when this resolves. Finish and write pending work within
   * seconds. `lost`: the name is not owned any more. Stop, and write nothing. Never called while `acquired` runs;
   * possibly after it was rejected, or after a handover.
   */
  lost(how: 'handover' | 'lost'): Promise<void> | void;
}

/**
 * A name that this instance wants to own, its lease if it does, and its holder. Calls of the holder run one at a time.
 */
export class Candidacy {
  readonly name: string;
  readonly rank: number;
  readonly #holder: Holder;
  readonly #failed: (candidacy: Candidacy, error: unknown) => void;
  lease: Lease | undefined;
  /** True while it is being handed over: it is still owned. */
  isReleasing = false;
  /** Fence that the engine refused although the lease still had it. */
  fencedAt: number | undefined;
  /** Time until which it is not tried here, since it could not be begun. */
  restUntil = Number.NEGATIVE_INFINITY;
  /** Time at which it was first seen free; undefined while it is owned. */
  freeSince: number | undefined;
  #calls = 0;
  #chain: Promise<void> = Promise.resolve();

  constructor(name: string, rank: number, holder: Holder, failed: (candidacy: Candidacy, error: unknown) => void) {
    this.name = name;
    this.rank = rank;
    this.#holder = holder;
    this.#failed = failed;
  }

  /** True while a call of the holder is running or queued. */
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

  /** Resolves when all calls of the holder have finished. */
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
