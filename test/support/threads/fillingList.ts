import { baskets, held, stock } from '../stages/projectionStage.js';

/** What threads that fill load in tests: two that take everything in, and one that stops at a basket named 'poison'. */
export const projections = [baskets(1, () => true), stock, held];
