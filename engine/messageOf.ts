/** What an unknown error says, for a log or an operator: its message, or the thing itself as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
