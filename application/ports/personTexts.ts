/** Data of a customer outside the log, sealed under their key, so that the erasure of the key covers them. */
export interface PersonTexts {
  /**
   * Seals a text under the key of the stream's newest customer. Undefined: the stream has no customer, or the customer was erased. `id`:
   * the text opens only with the same id. Rejects with StoreUnavailable.
   */
  seal(stream: string, id: string, text: string): Promise<SealedText | undefined>;
  /** Undefined: the customer was erased. */
  open(id: string, sealed: SealedText): Promise<string | undefined>;
  /**
   * Returns true if the customer of the event with this revision was erased. Without a revision, the newest event of the stream decides: a
   * stream may continue with a customer who came back.
   */
  isForgotten(stream: string, revision?: number): Promise<boolean>;
  /** Returns true if these read models contain no data of erased customers any more. */
  isShown(names: readonly string[]): Promise<boolean>;
}

/** As JSON. */
export type SealedText = readonly [version: string, person: string, places: string, box: string];
