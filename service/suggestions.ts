/** Suggestions for a misspelt word. */

/** Insertions, deletions, changes and swaps of neighbours that lead from one text to the other. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}

/** Letters of a text of which one may be wrong. */
const PER_MISTAKE = 3;
const LONGEST = 64;

/** The words that are most like `typed`, none when nothing is like it. */
export function suggestionsFor(typed: string, words: readonly string[]): readonly string[] {
  if (typed.length > LONGEST) return [];
  const most = Math.max(1, Math.floor(typed.length / PER_MISTAKE));
  const ranked = words.map((word) => ({ word, away: distance(typed, word) })).filter(({ away }) => away <= most);
  const least = Math.min(...ranked.map(({ away }) => away));
  return ranked.filter(({ away }) => away === least).map(({ word }) => word);
}

/** The sentence with the suggestions; `otherwise` if there are none. */
export function suggestionSentence(typed: string, words: readonly string[], otherwise: string): string {
  const near = suggestionsFor(typed, words);
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : otherwise;
}
