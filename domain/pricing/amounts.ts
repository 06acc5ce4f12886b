/** Exact arithmetic with money: whole numbers only, however large an order is. */

/** Returns `percent` (whole) of `cents`, rounded to the nearest cent, half a cent up. */
export const percentOf = (cents: number, percent: number): number =>
  Math.floor(cents / 100) * percent + Math.floor(((cents % 100) * percent + 50) / 100);

/**
 * Distributes `total` in proportion to `weights`, all of them whole and not negative. The shares sum to `total`: each is rounded down, and
 * the remaining units go one by one to the largest fractions, the earlier first if equal. If all weights are 0, all shares are 0. If
 * `total` is at most the sum of the weights, no share exceeds its weight.
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
  /** Numbers with the same order as the fractions. Only their order counts. */
  readonly fractions: readonly number[];
}

function floored(total: number, weights: readonly number[], sum: number): Floored {
  const fractions = weights.map((weight) => (total * weight) % sum);
  return { shares: weights.map((weight, index) => (total * weight - fractions[index]!) / sum), fractions };
}

/** Same as `floored`, for numbers beyond 2^53. */
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
