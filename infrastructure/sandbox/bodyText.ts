/** A mistake in a body of the sandbox's own endpoints, described in a sentence. */
export class WrongBody extends Error {
  override readonly name = 'WrongBody';
}

/** Characters, as the channel counts them: an emoji is one. */
export const lengthOf = (text: string): number => [...text].length;

/** Nothing for what is no text. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Throws `WrongBody` for what is no text. */
export function words(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new WrongBody(`${name} is a text.`);
  return value;
}
