import { baskets, stock } from './projectionWorld.js';

/** What the projections' thread loads in tests. */
export const projections = [baskets(), stock];
