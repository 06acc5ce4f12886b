/** Amounts of money as people type them. */

/** Returns cents as an amount in dollars, such as `12.50`; empty where there are none. */
export const dollars = (cents: number | undefined): string => (cents === undefined ? '' : (cents / 100).toFixed(2));

/** Returns an amount in dollars as whole cents; NaN for what is no amount, which the service then names. */
export function cents(amount: string): number {
  const parts = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(amount.trim());
  return parts === null ? Number.NaN : Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
}

export const wholeText = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** Returns the value of a text under its name, and nothing of an empty text. */
export const optional = <K extends string, V>(
  name: K,
  text: string,
  value: (text: string) => V,
): { readonly [P in K]?: V } =>
  text.trim() === '' ? {} : ({ [name]: value(text.trim()) } as { readonly [P in K]?: V });
