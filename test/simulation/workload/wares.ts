/** Coupon, area and numbers that customers of the town use. */
export const COUPON = 'EID';
/** Maximum uses of the coupon: fewer than the customers who want it. */
export const MOST_USES = 2;
export const AREA = 'Hodan';
/** Two forms of one customer's number. The channel reports either at random. */
export const TWO_FORMS = ['+525512345678', '+5215512345678'] as const;
/** Returns the number of a customer in one form, for both forms that the channel reports. */
export const numberOf = (phone: string): string => (phone === TWO_FORMS[1] ? TWO_FORMS[0] : phone);
