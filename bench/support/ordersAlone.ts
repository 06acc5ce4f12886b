import { orders } from '../../projections/orders.js';

/** What the projections' thread loads where one read model is built. */
export const projections = [orders];
