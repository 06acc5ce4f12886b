/** Probe of a server by a TLS handshake: whether it supports TLS, and whether its certificate is trusted. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';

const PROBE_MS = 1_000;
/** OpenSSL's and Node's words about a certificate. */
const UNTRUSTED = /certificate|altnames|unable to get .*issuer/i;
/** OpenSSL's words about an answer that is not TLS. */
const NO_TLS = /wrong version number|packet length too long|EPROTO|http request/i;

export const isDistrust = (words: string): boolean => UNTRUSTED.test(words);
export const isNoTls = (words: string): boolean => NO_TLS.test(words);

/** Splits 'host:port'; an IPv6 address loses its brackets. */
export function hostAndPort(target: string): { readonly host: string; readonly port: number } {
  const colon = target.lastIndexOf(':');
  return { host: target.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(target.slice(colon + 1)) };
}

/** Tests a handshake; the certificate is not checked. `protocols`: offered by ALPN. */
export function speaksTls(target: string, protocols: readonly string[] = []): Promise<boolean> {
  const { host, port } = hostAndPort(target);
  const named = isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve) => {
    const offered = protocols.length === 0 ? {} : { ALPNProtocols: [...protocols] };
    const socket = connect({ host, port, ...named, rejectUnauthorized: false, ...offered });
    const end = (answer: boolean): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(false), PROBE_MS);
    socket.once('secureConnect', () => end(true));
    socket.on('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
