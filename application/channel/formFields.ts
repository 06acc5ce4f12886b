/** Answers of a form in the channel's format: JSON, in which an answer of digits may be a number. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the customer's answer, trimmed. '' if it was left out. Undefined: neither a text nor a number. */
export function answered(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? '';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : undefined;
}
