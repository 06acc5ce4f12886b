/** JSON from outside, before anything is known of it. */
export type Loose = Readonly<Record<string, unknown>>;

/** A mistake in a body of the sandbox's own endpoints, told in a sentence. */
export class WrongBody extends Error {
  override readonly name = 'WrongBody';
}

/** Undefined for what is no object. */
export const record = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Throws `WrongBody` for what is no text. */
export function words(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new WrongBody(`${name} is a text.`);
  return value;
}
