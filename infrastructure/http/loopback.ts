const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * Of a host that is listened on or called: whether only this machine reaches it, as surely as the way it is written says. Settings
 * are read with each command, so no library is loaded for it: see localHosts.ts for hosts that others write.
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
