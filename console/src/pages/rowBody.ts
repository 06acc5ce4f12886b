/** A row of a list of the operator's, as the command answers it. */
export type RowBody = Readonly<Record<string, unknown>>;
