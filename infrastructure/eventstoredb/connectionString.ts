/** Reads a connection string without ever repeating it: it may hold a password, and the client's own parser prints it. */
import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import parser from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { BadEngineUrl } from '../engineUrl.js';

/** Options that the client knows and this adapter heeds. */
const HEEDED = [
  'connectionName',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
];
/**
 * Options of the client without meaning here: deadlines are `timeoutMs`, a failed append always throws, all nodes are queried at once
 * within its deadline, and only the leader is used.
 */
const IGNORED = [
  'defaultDeadline',
  'discoveryInterval',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
];
/** KurrentDB's names for the same addresses. */
const SCHEMES = /^(?:kurrentdb|kdb|esdb)(\+discover)?:\/\//;

const badUrl = (problem: string): BadEngineUrl => new BadEngineUrl('EVENTSTORE_URL', problem);

const flat = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '');
const heeded = new Map(HEEDED.map((name) => [flat(name), name]));
const ignored = new Set(IGNORED.map(flat));

/**
 * `esdb://…` or `esdb+discover://…`, also with `kurrentdb` or `kdb` for `esdb`, as in the client's manual. Throws BadEngineUrl with the
 * fault and its place.
 */
export function readConnectionString(text: string): ConnectionOptions {
  const [address, query] = splitAtQuery(text.trim().replace(SCHEMES, 'esdb$1://'));
  const options = query.split('&').filter((pair) => pair !== '');
  const retained = options.filter((pair) => !ignored.has(flat(pair.split('=')[0]!)));
  for (const pair of retained) checkOption(pair);
  try {
    return parser.parseConnectionString(retained.length === 0 ? address : `${address}?${retained.join('&')}`);
  } catch (error) {
    const { location, expected } = error as { location?: readonly [number, number]; expected?: string };
    const where =
      location === undefined ? '' : `, ${expected ?? 'something else'} is expected at character ${location[0]}`;
    throw badUrl(`cannot be read${where}; it is like esdb://user:password@host:2113`);
  }
}

/** The options begin behind the hosts: a password may hold a question mark, and ends, as for the client, at the first '@'. */
function splitAtQuery(text: string): [address: string, query: string] {
  const hosts = text.indexOf('@') + 1;
  const mark = text.indexOf('?', hosts);
  if (mark === -1) return [text, ''];
  return [text.slice(0, mark).replace(/\/+$/, ''), text.slice(mark + 1)];
}

function checkOption(pair: string): void {
  const [name = '', value = ''] = pair.split('=');
  if (flat(name) === flat('tlsVerifyCert')) {
    if (value.trim() === 'true') return;
    throw badUrl(
      'has tlsVerifyCert=false, which the client does not support: set tlsCAFile to the certificate authority, or use tls=false',
    );
  }
  if (!heeded.has(flat(name))) throw badUrl(`has an unknown option '${name}'; there are ${HEEDED.join(', ')}`);
}
