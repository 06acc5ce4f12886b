/** What customers of the town know of its stores. */
export const COUPON = 'EID';
/** Uses of the coupon: fewer than customers who want it. */
export const MOST_USES = 2;
export const AREA = 'Hodan';
