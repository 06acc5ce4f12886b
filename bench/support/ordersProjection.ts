import { orders } from '../../projections/orders.js';

/** Projections for the projections' thread when a single read model is built. */
export const projections = [orders];
