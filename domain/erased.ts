/** How an id begins that is read in place of one of somebody who was forgotten. */
export const ERASED = 'erased-';
export const isErased = (id: string | undefined): boolean => id?.startsWith(ERASED) === true;
