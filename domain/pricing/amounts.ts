/** Exact arithmetic with money: whole numbers only, however large an order is. */

/** `percent` (whole) of `cents`, to the nearest cent; half a cent counts as one. */
export const percentOf = (cents: number, percent: number): number =>
  Math.floor(cents / 100) * percent + Math.floor(((cents % 100) * percent + 50) / 100);

/**
 * Shares `total` out in proportion to `weights`, all of them whole and not negative, so that the shares sum to it: each
 * share is rounded down, and the units left over go one by one to the largest fractions; of equal ones, to the earlier.
 * Nothing can be shared out when all weights are 0. With `total` ≤ the weights' sum no share exceeds its weight.
 */
export function distribute(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const small = Number.isSafeInteger(sum) && Number.isSafeInteger(total * heaviest);
  const { shares, fractions } = small ? floored(total, weights, sum) : flooredExactly(total, weights);
  const rest = total - shares.reduce((all, share) => all + share, 0);
  const byFraction = weights.map((_, index) => index);
  byFraction.sort((a, b) => fractions[b]! - fractions[a]! || a - b);
  for (const index of byFraction.slice(0, rest)) shares[index]! += 1;
  return shares;
}

interface Floored {
  readonly shares: number[];
  /** In the order of their size; only that order counts. */
  readonly fractions: readonly number[];
}

function floored(total: number, weights: readonly number[], sum: number): Floored {
  const fractions = weights.map((weight) => (total * weight) % sum);
  return { shares: weights.map((weight, index) => (total * weight - fractions[index]!) / sum), fractions };
}

/** The same beyond 2^53. */
function flooredExactly(total: number, weights: readonly number[]): Floored {
  const products = weights.map((weight) => BigInt(total) * BigInt(weight));
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  const exact = products.map((product) => product % sum);
  const ranks = [...new Set(exact)].sort((a, b) => (a < b ? -1 : 1));
  const rankOf = new Map(ranks.map((fraction, rank) => [fraction, rank]));
  return {
    shares: products.map((product, index) => Number((product - exact[index]!) / sum)),
    fractions: exact.map((fraction) => rankOf.get(fraction)!),
  };
}
