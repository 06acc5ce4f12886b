/** Status and documentation of an error code. */
export interface ProblemKind {
  readonly status: number;
  /** The situation that the code reports. */
  readonly means: string;
  /** The caller's options. */
  readonly todo: string;
}

export const kind = (status: number, means: string, todo: string): ProblemKind => ({ status, means, todo });
