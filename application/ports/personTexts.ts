/** What is kept of a customer beside the log, sealed under their key: it goes with them. */
export interface PersonTexts {
  /** Undefined: the stream is of no customer, or of one who was forgotten. `id`: opens in its place alone. Rejects with StoreUnavailable. */
  seal(stream: string, id: string, text: string): Promise<SealedText | undefined>;
  /** Undefined: they were forgotten. */
  open(id: string, sealed: SealedText): Promise<string | undefined>;
  /** Whether the stream is of a customer who was forgotten. */
  isForgotten(stream: string): Promise<boolean>;
  /** Whether the read models of these names hold nothing of who was forgotten any more. */
  isShown(names: readonly string[]): Promise<boolean>;
}

/** As JSON. */
export type SealedText = readonly [version: string, person: string, places: string, box: string];
