/** How an id begins that is read in place of one of somebody who was forgotten. */
export const ERASED = 'erased-';
export const isErased = (id: string | undefined): boolean => id?.startsWith(ERASED) === true;
/** Read in place of the phone of somebody who was forgotten: no country has this code. */
export const ERASED_PHONE = '+999000000000';

/** Returns whether a customer is read in place of somebody who was forgotten. */
export const isErasedCustomer = ({ userId, phone }: { readonly userId?: string; readonly phone?: string }): boolean =>
  isErased(userId) || phone === ERASED_PHONE;
