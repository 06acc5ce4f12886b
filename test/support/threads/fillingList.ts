import { baskets, stock, waitingItems } from '../stages/projectionStage.js';

/** Projections that filling threads load in tests. The first stops at a basket named 'poison'. */
export const projections = [baskets(1, () => true), stock, waitingItems];
