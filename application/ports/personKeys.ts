/** The keys of customers, under which all that tells of them is sealed in the log. */
export interface PersonKeys {
  /** Categories of streams whose events hold what is sealed. */
  readonly categories: readonly string[];
  /** Ids of everybody whom the store knew by this phone or user id. */
  everyone(workspaceId: string, value: string): Promise<readonly string[]>;
  /**
   * Destroys the keys, and what is in memory or kept beside the log of what they open: states, snapshots, answers of requests in
   * which one of `values` stands. From then on nobody reads what was sealed. May be repeated.
   */
  forget(persons: readonly string[], values: readonly string[]): Promise<void>;
  /** Learns whom other instances have forgotten. Rejects with StoreUnavailable. */
  hear(): Promise<void>;
  /** Calls back when somebody was forgotten, also by another instance: for what is remembered elsewhere of who is who. */
  onForgotten(listener: () => void): void;
  /** Seals the keys anew under the first master key; answers how many. */
  reseal(): Promise<number>;
}
