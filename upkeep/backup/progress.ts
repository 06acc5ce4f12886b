/** How far a long command is. */
export interface Progress {
  /** Such as `events.db`. */
  readonly phase: string;
  /** Of the phase, 0 to 1; undefined: nobody knows how much is to come. */
  readonly share?: number;
  /** Such as `120 files`. */
  readonly done?: string;
}

export type Tell = (now: Progress) => void;

/** What a long command is run with. */
export interface Run {
  readonly tell: Tell;
  readonly signal: AbortSignal;
}
