import { baskets, stock } from '../stages/projectionStage.js';

/** What the projections' thread loads in tests. */
export const projections = [baskets(), stock];
