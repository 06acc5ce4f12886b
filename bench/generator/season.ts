/** Load of a moment relative to others of the year. */

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

/** Weight of each hour of the day, in UTC; the shops are three hours ahead. */
const HOURS = [3, 2, 2, 4, 8, 14, 20, 24, 22, 16, 14, 18, 22, 24, 22, 26, 30, 28, 20, 12, 8, 6, 4, 3];
/** Weight of each day of the week, from Sunday. */
const WEEK = [1, 0.95, 0.95, 1, 1.25, 0.7, 1.1];
/** Days of the year on which a season begins and ends, and how much busier it is at its height. */
const SEASONS = [
  { from: 50, to: 90, most: 1.9 },
  { from: 145, to: 160, most: 1.6 },
  { from: 235, to: 250, most: 1.3 },
  { from: 325, to: 364, most: 1.7 },
] as const;

function seasonOf(day: number): number {
  const season = SEASONS.find(({ from, to }) => day >= from && day <= to);
  if (season === undefined) return 1;
  const share = (day - season.from) / (season.to - season.from);
  return 1 + (season.most - 1) * Math.sin(Math.PI * share);
}

/** Share of each hour in a year that begins at `start` (ms since 1970), from the first to the last. They sum to 1. */
export function hourShares(start: number): number[] {
  const weights: number[] = [];
  for (let day = 0; day < YEAR_DAYS; day += 1) {
    const weekday = WEEK[new Date(start + day * DAY_MS).getUTCDay()]!;
    for (const hour of HOURS) weights.push(hour * weekday * seasonOf(day));
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
