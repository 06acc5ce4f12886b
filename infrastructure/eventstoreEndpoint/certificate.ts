/**
 * Certificate of an endpoint that requires credentials, since clients send them over TLS only. It is generated for `localhost`, this
 * machine and the listen address, and stored in the folder. Clients trust it alone: it is not a CA, so its key can only impersonate this
 * endpoint. An operator may replace it by a better one.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const DAYS = 3_650;
const NAME = 'Suuq event store';

/** Reads `endpoint.crt` and `endpoint.key` of the folder, made first when they are not there. Throws when they cannot be used. */
export function certificateIn(folder: string, host: string): Certificate {
  const [certFile, keyFile] = [join(folder, 'endpoint.crt'), join(folder, 'endpoint.key')];
  if (!existsSync(certFile) || !existsSync(keyFile)) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(keyFile, pem, { mode: 0o600 });
    writeFileSync(certFile, selfSigned(privateKey, publicKey, ['localhost', hostname(), '127.0.0.1', '::1', host]));
  }
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  createPrivateKey(key);
  return { cert, key };
}

// What follows writes X.509 (RFC 5280) in DER: a tag, a length, the contents.

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const COMMON_NAME = identifier('550403');
const ALTERNATIVE_NAMES = identifier('551d11');
const BASIC_CONSTRAINTS = identifier('551d13');
const EXTENDED_USE = identifier('551d25');
const OF_SERVERS = sequence(identifier('2b06010505070301'));
/** Basic constraints without the field that marks a CA. */
const NO_AUTHORITY = sequence();
const VERSION_3 = der(0xa0, der(0x02, bytes(2)));

/** 'YYMMDDhhmmssZ'. */
const time = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const alternative = (host: string): Buffer =>
  ipaddr.isValid(host) ? der(0x87, bytes(...ipaddr.parse(host).toByteArray())) : der(0x82, Buffer.from(host));

/** In PEM. */
function selfSigned(privateKey: KeyObject, publicKey: KeyObject, hosts: readonly string[]): string {
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(NAME)))));
  const now = Date.now();
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, der(0x04, NO_AUTHORITY)),
    sequence(EXTENDED_USE, der(0x04, OF_SERVERS)),
    sequence(ALTERNATIVE_NAMES, der(0x04, sequence(...[...new Set(hosts)].map(alternative)))),
  );
  const content = sequence(
    VERSION_3,
    der(0x02, bytes(1), randomBytes(15)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - DAY_MS), time(now + DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, bytes(0), sign('sha256', content, privateKey));
  const base64 = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}
