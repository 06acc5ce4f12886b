/** A customer's number as the channel writes it (digits, sometimes with '+') in E.164 with '+'; undefined: it is none. */
export function e164(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const digits = value.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}
