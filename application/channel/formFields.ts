/** A form's answers as the channel brings them: JSON, in which an answer of digits may be a number. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the customer entered, trimmed; '' when it was left out. Undefined: it is neither a text nor a number. */
export function answered(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? '';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : undefined;
}
