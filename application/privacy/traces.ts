/** Searches texts for values that identify somebody. */

/** Matches ids and phones, which are looked up in a set. Other values are searched for one after another. */
const WORDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\+?\d{7,15}/g;
const isWord = (value: string): boolean => value.match(WORDS)?.[0] === value;

/** Returns a check whether a text contains one of these values. Many values cost hardly more than one. */
export function speaksOf(values: Iterable<string>): (text: string) => boolean {
  const words = new Set<string>();
  const others: string[] = [];
  for (const value of values) {
    if (isWord(value)) words.add(value);
    else others.push(value);
  }
  return (text) => {
    if (words.size > 0) for (const [word] of text.matchAll(WORDS)) if (words.has(word)) return true;
    return others.some((value) => text.includes(value));
  };
}
