/** How much is done for a figure. A profile needs less than one that is to be believed: the shares are the same after a part of it. */

const PART = 5;
let isPart = false;

/** From now on a part is enough. */
export function profileOnly(): void {
  isPart = true;
}

/** So many of something (seconds, stores, products), or of a part of the work a fifth, and one at least. */
export const enough = (whole: number): number => (isPart ? Math.max(1, Math.ceil(whole / PART)) : whole);

/** Only the first of several loads, for a partial run. */
export const enoughOf = <T>(all: readonly T[]): readonly T[] => (isPart ? all.slice(0, 1) : all);
