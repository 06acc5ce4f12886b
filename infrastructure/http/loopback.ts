const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * True if only this machine reaches the host, judged by its spelling. Settings are read with each command, so no library is loaded for it:
 * see localHosts.ts for hosts from others.
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
