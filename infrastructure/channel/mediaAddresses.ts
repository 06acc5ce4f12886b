/** Addresses from which files of the channel may be downloaded. They come from outside, and the token is sent to them. */
import { ProviderError } from '../../application/ports/catalogProvider.js';
import { createUrlGuard } from '../webhooks/urlGuard.js';

/** own: the configured provider itself, which an operator chose. host: one of its hosts for files. */
export type MediaAddressKind = 'own' | 'host';

const refused = (why: string): ProviderError =>
  new ProviderError('media_place_refused', `The channel gave a file address that is not allowed: ${why}.`, true);

/**
 * Judges an address: it must have the origin of `baseUrl`, or use https on one of `hosts` (exact names). Throws `ProviderError` for any
 * other, which gets neither the token nor a request.
 */
export function mediaAddresses(baseUrl: string, hosts: readonly string[]): (url: string) => MediaAddressKind {
  const own = new URL(baseUrl).origin;
  const guard = createUrlGuard();
  return (text) => {
    if (text.length > 4096 || !URL.canParse(text)) throw refused('it is not a URL');
    const url = new URL(text);
    if (url.username !== '' || url.password !== '') throw refused('it has a user name');
    if (url.origin === own) return 'own';
    const refusal = guard.refusalOf(`${url.origin}/`);
    if (refusal !== undefined) throw refused(refusal);
    if (url.port !== '' || !hosts.includes(url.hostname)) throw refused('it is not an allowed host for files');
    return 'host';
  };
}
