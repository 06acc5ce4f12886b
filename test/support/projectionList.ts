import { baskets, stock } from './projectionStage.js';

/** What the projections' thread loads in tests. */
export const projections = [baskets(), stock];
