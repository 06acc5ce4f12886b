/** Contenders that take turns in short rounds of one run, so that other work on the machine hits all of them. */

/** The first of each round changes; the first round of all is for warming up. Answers each contender's figures, in its order. */
export async function inTurns(
  rounds: number,
  contenders: readonly (() => Promise<number>)[],
): Promise<readonly (readonly number[])[]> {
  const figures: number[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (let i = 0; i < contenders.length; i += 1) {
      const which = (round + i) % contenders.length;
      const figure = await contenders[which]!();
      if (round > 0) figures[which]!.push(figure);
    }
  }
  return figures;
}

/** The median of the faster half: what other work on the machine disturbed least. */
export const undisturbed = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => b - a)[Math.floor(figures.length / 4)]!;
