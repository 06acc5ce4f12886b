/** What customers of the town know of its stores. */
export const COUPON = 'EID';
/** Uses of the coupon: fewer than customers who want it. */
export const MOST_USES = 2;
export const AREA = 'Hodan';
/** One number of one customer, whom the channel reports by either form at random. */
export const TWO_FORMS = ['+525512345678', '+5215512345678'] as const;
/** Returns the number of a customer, in the same form whichever the channel reports. */
export const numberOf = (phone: string): string => (phone === TWO_FORMS[1] ? TWO_FORMS[0] : phone);
