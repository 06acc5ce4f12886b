/** How far a long command is. */
export interface Progress {
  /** Such as `events.db`. */
  readonly phase: string;
  /** Share of the phase, 0 to 1; undefined: unknown. */
  readonly share?: number;
  /** Such as `120 files`. */
  readonly done?: string;
}

export type Report = (now: Progress) => void;

/** Context of a long command. */
export interface Run {
  readonly report: Report;
  readonly signal: AbortSignal;
}
