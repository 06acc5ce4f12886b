/** What is kept of a customer beside the log, sealed under their key: it goes with them. */
export interface PersonTexts {
  /**
   * Seals a text under the key of the stream's newest customer. Undefined: the stream has no customer, or the customer was forgotten.
   * `id`: the text opens with the same id only. Rejects with StoreUnavailable.
   */
  seal(stream: string, id: string, text: string): Promise<SealedText | undefined>;
  /** Undefined: they were forgotten. */
  open(id: string, sealed: SealedText): Promise<string | undefined>;
  /**
   * Returns true if the customer of the event with this revision was forgotten. Without a revision, the newest event of the stream
   * counts: a stream may continue with a customer who came back.
   */
  isForgotten(stream: string, revision?: number): Promise<boolean>;
  /** Whether the read models of these names hold nothing of who was forgotten any more. */
  isShown(names: readonly string[]): Promise<boolean>;
}

/** As JSON. */
export type SealedText = readonly [version: string, person: string, places: string, box: string];
