/** Returns the message of an unknown error for a log or an operator, or the thrown value as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
