/** Prefix of an id that replaces the id of an erased customer. */
export const ERASED = 'erased-';
export const isErased = (id: string | undefined): boolean => id?.startsWith(ERASED) === true;
/** Phone of erased customers. No country has this code. */
export const ERASED_PHONE = '+999000000000';

/** Returns true if the customer was erased. */
export const isErasedCustomer = ({ userId, phone }: { readonly userId?: string; readonly phone?: string }): boolean =>
  isErased(userId) || phone === ERASED_PHONE;
