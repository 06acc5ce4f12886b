/** The embedded event store for other programs, with the address and credentials of the settings. */
import { randomBytes } from 'node:crypto';
import { defined } from '../../domain/defined.js';
import type { Log } from '../../engine/ports/log.js';
import { type DataFolder, storedIn } from '../folder/dataFolder.js';
import type { EndpointSettings } from '../settings/engineSettings.js';
import type { Instance } from './instance.js';

export interface ServedLog {
  /** 'host:port'. */
  readonly address: string;
  /** Allows clients to append and delete. */
  readonly writes: boolean;
  /** `made`: they are in the data folder. */
  readonly credentials: 'none' | 'set' | 'made';
  close(): Promise<void>;
}

const CREDENTIALS = 'endpoint-credentials.json';
const PASSWORD_BYTES = 24;

/** From the settings, or generated once and stored in the data folder (mode 0600); undefined: no credentials required. */
function credentialsOf({ credentials, open }: EndpointSettings, folder: DataFolder) {
  if (open) return undefined;
  const make = () => ({ user: 'suuq', password: randomBytes(PASSWORD_BYTES).toString('base64url') });
  return credentials ?? storedIn(folder, CREDENTIALS, make);
}

/** Undefined: not configured. Rejects if its address is in use. */
export async function serveLog(
  { settings: { endpoint }, engines: { events }, folder }: Pick<Instance, 'settings' | 'engines' | 'folder'>,
  log: Log,
): Promise<ServedLog | undefined> {
  if (endpoint === undefined || events.embedded === undefined) return undefined;
  const { startEventStoreEndpoint } = await import('../../infrastructure/eventstoreEndpoint/endpoint.js');
  const { host, port, writes } = endpoint;
  const { address, close } = await startEventStoreEndpoint({
    ...{ host, port, writes },
    ...defined({ credentials: credentialsOf(endpoint, folder) }),
    hasService: true,
    store: events.embedded,
    folder: folder.path,
    log: (message) => log.error({}, message),
  });
  return { address, close, writes, credentials: endpoint.open ? 'none' : endpoint.credentials ? 'set' : 'made' };
}

/** A line for who starts the service; `data`: the data folder as it is written in commands. */
export function servedText({ address, writes, credentials }: ServedLog, data: string): string {
  const what = `EventStoreDB clients can read${writes ? ' and write' : ''} the event store at ${address}`;
  if (credentials === 'none') return `${what}, without a password, from this machine.`;
  const where = credentials === 'made' ? `user and password are in ${data}/${CREDENTIALS}, ` : '';
  return `${what}: ${where}tlsCAFile is ${data}/endpoint.crt.`;
}
