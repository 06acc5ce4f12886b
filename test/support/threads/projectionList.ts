import { baskets, stock } from '../stages/projectionStage.js';

/** Projections that the projections' thread loads in tests. */
export const projections = [baskets(), stock];
