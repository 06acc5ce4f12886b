/** The service of a data folder in this process: operations over HTTP and operator commands, without processors. */
import type { Operation } from '../../../api/contract/operation.js';
import type { Services } from '../../../api/contract/services.js';
import type { RateSettings } from '../../../api/http/rates/rateLimit.js';
import { createAccessDirectory } from '../../../application/access/directory.js';
import { defined } from '../../../domain/defined.js';
import type { Clock } from '../../../engine/ports/clock.js';
import { executeAdmin } from '../../../service/admin/adminCommands.js';
import { type Instance, openInstance } from '../../../service/composition/instance.js';
import { createLog } from '../../../service/log.js';
import { readSettings } from '../../../service/settings/settings.js';
import { apiServer } from './apiServer.js';

export interface ServedInstance {
  readonly instance: Instance;
  /** Services as the operations use them. */
  readonly services: Services;
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Runs a command of the operator. */
  // biome-ignore lint/suspicious/noExplicitAny: results of many shapes, looked into by tests
  operator(command: string, input: object): Promise<any>;
  close(): Promise<void>;
}

interface Served {
  readonly operations: readonly Operation[];
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Requests per minute. Default: no limit. */
  readonly rates?: RateSettings;
}

/** `path`: data folder, created if missing. */
export async function servedInstance(path: string, { operations, clock, rates }: Served): Promise<ServedInstance> {
  const instance = await openInstance(readSettings({ SUUQ_DATA: path }), createLog('silent'));
  const { reads } = instance.services;
  const existing = clock && { clock, directory: createAccessDirectory({ reads, clock }) };
  const services = { ...instance.services, ...existing };
  const settings = rates && { host: '127.0.0.1', port: 0, trustProxy: 0, rates };
  const { url, close } = await apiServer({
    ...{ operations, services, progress: instance.progress },
    ...defined({ settings }),
  });
  return {
    instance,
    services,
    url,
    operator: (command, input) => {
      const { directory } = services;
      return executeAdmin({ ...instance.admin(`${url}/channel/webhook`), directory }, command, input);
    },
    async close() {
      await close();
      await instance.close();
    },
  };
}
