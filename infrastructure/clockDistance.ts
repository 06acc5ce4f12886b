/** Distance in ms between two clocks, of which one is `low` to `high` ms ahead. 0: they may agree; negative: it is behind. */
export const clockDistance = (low: number, high: number): number => (low > 0 ? low : Math.min(high, 0));
