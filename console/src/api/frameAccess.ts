/**
 * Access of a page in a partner's frame: the token of an SDK session, in memory only. Without a frame a cookie gives
 * access, and nothing here applies.
 */

const FRAME = /^\/embed\/[^/]+/.exec(location.pathname)?.[0];

/** Path of all pages: `/console`, or `/embed/{publishable key}` in a frame. */
export const BASE_PATH = FRAME ?? '/console';
export const isFramed = FRAME !== undefined;
/** The publishable key of the frame. */
export const publishableKey = FRAME?.split('/')[2] ?? '';
/** Path of the operations. */
export const API_PATH = isFramed ? '/embed/api' : '/console/api';

let token = '';
let storeId = '';
let renewing: Promise<void> | undefined;
let renew: () => Promise<string> = () => Promise.reject(new Error('no session'));

/** `next` returns a new token when the current one is refused. */
export function setAccess(first: string, next: () => Promise<string>): void {
  token = first;
  renew = next;
}

/** Selects the store that the console's own operations are about, of those that the session opens. */
export const setFramedStore = (workspaceId: string): void => {
  storeId = workspaceId;
};

export const accessHeaders = (): Readonly<Record<string, string>> =>
  isFramed && token !== '' ? { Authorization: `Bearer ${token}`, ...(storeId && { 'X-Suuq-Store': storeId }) } : {};

/** Gets a new token, once for all requests that were refused. */
export function renewAccess(): Promise<void> {
  renewing ??= renew()
    .then((next) => {
      token = next;
    })
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}
