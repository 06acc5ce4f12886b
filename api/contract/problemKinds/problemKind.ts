/** What a code of an error means, for those who get it. */
export interface ProblemKind {
  readonly status: number;
  /** What has happened. */
  readonly means: string;
  /** What the caller can do about it. */
  readonly todo: string;
}

export const kind = (status: number, means: string, todo: string): ProblemKind => ({ status, means, todo });
