/** Reads parts of JSON from outside, of whatever shape they are. */
export type Loose = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function finite(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= least && number <= most ? number : undefined;
}

/** A customer's number as the channel writes it (digits, sometimes with '+') in E.164 with '+'. */
export function e164(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const digits = value.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}
