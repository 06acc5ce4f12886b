/** Ms between two clocks of which one was told to lie `low` to `high` ms ahead; 0 where they may agree, negative when it is behind. */
export const clockDistance = (low: number, high: number): number => (low > 0 ? low : Math.min(high, 0));
