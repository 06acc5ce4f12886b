import { type Sandbox, startSandbox } from '../../infrastructure/sandbox/sandbox.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { stores } from '../../projections/stores.js';
import type { Log } from '../log.js';
import type { Instance } from './instance.js';

/** Most numbers that the sandbox's page offers. */
const MOST_NUMBERS = 200;

/** The built-in provider: calls only this service's webhook, listens only on this machine. */
export function startServiceSandbox(
  { port }: { readonly port: number },
  { services, channel, folder }: Instance,
  baseUrl: () => string,
  log: Log,
): Promise<Sandbox> {
  return startSandbox({
    port,
    host: '127.0.0.1',
    stateFile: folder.file('sandbox.jsonl'),
    webhookUrl: () => `${baseUrl()}/channel/webhook`,
    appSecret: channel.appSecret,
    verifyToken: channel.verifyToken,
    accessToken: channel.token,
    clock: services.clock,
    log,
    async numbers() {
      const found = await services.reads.find(channelNumbers, { limit: MOST_NUMBERS });
      const names = await services.reads.getMany(
        stores,
        found.map(({ body }) => body.workspaceId),
      );
      return found.map(({ body: { phoneNumberId, displayPhoneNumber, catalogId, workspaceId } }) => {
        const name = names.get(workspaceId)?.body.name;
        return { phoneNumberId, displayPhoneNumber, catalogId, ...(name === undefined ? {} : { name }) };
      });
    },
  });
}
