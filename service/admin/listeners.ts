/**
 * `suuq listen`: an endpoint on this machine while the command runs. Used by the command line alone, which sends the address of its
 * listener. The service sends to that address because its operator requested it, and to no other address of the machine.
 */
import { request } from 'node:http';
import { createEndpoint, deleteEndpoint } from '../../application/webhooks/endpoints.js';
import { refuse } from '../../domain/decider.js';
import { webhookPlaces } from '../../domain/webhooks/endpointPlaces.js';
import { EVENT_TYPES } from '../../domain/webhooks/eventTypes.js';
import { isOpen, ownerId, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../domain/webhooks/webhookEvents.js';
import { partners } from '../../projections/partners.js';
import { stores } from '../../projections/stores.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, type Option } from './declaration.js';
import { oneOf, text } from './options.js';

/** Identifies, together with its address, an endpoint that a listener left behind. */
export const LISTENER = 'suuq listen';

/** Its path is a secret of the listener's, so that no other endpoint can name it. */
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d{1,5}\/[\w-]{16,64}$/;

const url: Option<string> = {
  value: 'URL',
  about: 'Address of the listener, as http://127.0.0.1:PORT/SECRET.',
  required: true,
  check(fields, name) {
    const value = fields.text(name);
    if (value !== '' && !ADDRESS.test(value)) fields.problem(name, 'must be http://127.0.0.1:PORT/SECRET', value);
    return value;
  },
};

const events: Option<readonly string[]> = {
  value: 'TYPE,…',
  about: 'Event types to receive.',
  check: (fields, name) => fields.texts(name),
};

function listenersOf({ listeners }: AdminWork) {
  return listeners ?? refuse('not_running', 'No service runs on this data folder. Start it and try again.');
}

function admit(work: AdminWork, address: string): void {
  if (!listenersOf(work).admit(address))
    refuse('too_many_listeners', 'The maximum number of listeners is reached. Stop one of them first.');
}

/** Another instance knows nothing of what this one admits, and would refuse to deliver. */
async function requireAlone({ installation }: AdminWork): Promise<void> {
  const instances = await installation.instances();
  if (instances.length > 1)
    refuse(
      'several_instances',
      `${instances.length} instances share this installation, and only one of them can reach this machine. Set --url to an https address that leads here.`,
    );
  if (!instances.every(({ roles }) => roles.includes('processors')))
    refuse('not_sending', 'The service on this folder sends no webhooks: it runs without the role processors.');
}

async function requireOwner({ reads }: AdminWork, owner: EndpointOwner): Promise<void> {
  if ('partnerId' in owner) {
    if ((await reads.get(partners, owner.partnerId)) === undefined)
      refuse('not_found', `There is no partner ${owner.partnerId}. Run 'suuq admin partners list' to list the ids.`);
  } else if ((await reads.get(stores, owner.workspaceId)) === undefined)
    refuse('not_found', `There is no store ${owner.workspaceId}. Run 'suuq admin stores list' to list the ids.`);
}

/** Longest wait for a listener's answer, in ms. */
const THERE_MS = 500;

/** True if that very listener answers: nobody else knows its path. */
const isThere = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = request(address, { method: 'OPTIONS', timeout: THERE_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 204);
    });
    probe.on('timeout', () => probe.destroy(new Error('late')));
    probe.on('error', () => resolve(false));
    probe.end();
  });

/** Deletes what listeners left behind that ended without a word. Answers how many. */
async function removeAbandoned(work: AdminWork, owner: EndpointOwner, about: object): Promise<number> {
  const commands = work.commands(about);
  const ids = await commands.query(webhookPlaces, ownerId(owner), (places) => [...places.keys()]);
  let removed = 0;
  for (const id of ids) {
    const address = await commands.query(webhookEndpoint, id, (one) =>
      isOpen(one) && one.description === LISTENER && ADDRESS.test(one.url) ? one.url : undefined,
    );
    if (address === undefined || (await isThere(address))) continue;
    await deleteEndpoint(commands, owner, id);
    removed += 1;
  }
  return removed;
}

const open = adminCommand({
  name: 'listeners.open',
  about: 'Create an endpoint at an address of this machine, valid for 30 s.',
  options: {
    owner: oneOf({ value: 'partner|store', about: 'Whose.', required: true }, ['partner', 'store']),
    id: text({ value: 'ID', about: 'Id of the partner, or workspace id of the store.', required: true }),
    url,
    events,
  },
  async run(work, { owner: kind, id, url: address, events: requested }) {
    const urls = { check: async () => undefined };
    listenersOf(work);
    await requireAlone(work);
    const owner = kind === 'partner' ? { partnerId: id } : { workspaceId: id };
    await requireOwner(work, owner);
    const about = 'partnerId' in owner ? owner : await aboutStore(work, owner.workspaceId);
    const removed = await removeAbandoned(work, owner, about);
    admit(work, address);
    const endpointId = work.newId('endpoint');
    const settings = {
      endpointId,
      owner,
      url: address,
      description: LISTENER,
      events: requested.length > 0 ? requested : Object.keys(EVENT_TYPES),
      createdBy: 'operator',
      now: Date.now(),
    };
    const secret = await createEndpoint({ commands: work.commands(about), secretBox: work.secretBox, urls }, settings);
    return { endpointId, secret, removed };
  },
  text: ({ endpointId }) => endpointId,
});

/** Owner of a listener's endpoint; refuses `not_found`. */
const ownerOf = (work: AdminWork, endpointId: string, address: string): Promise<EndpointOwner> =>
  work
    .commands()
    .query(webhookEndpoint, endpointId, (one) =>
      isOpen(one) && one.url === address
        ? one.owner
        : refuse('not_found', `The listener's endpoint ${endpointId} was deleted or changed by another client.`),
    );

const endpoint = text({ value: 'ID', about: "The endpoint's id.", required: true });

const renew = adminCommand({
  name: 'listeners.renew',
  about: 'Renew a listener for 30 s, also after a restart of the service.',
  options: { endpoint, url },
  async run(work, { endpoint: id, url: address }) {
    await ownerOf(work, id, address);
    admit(work, address);
    return { endpoint: id };
  },
  text: ({ endpoint: id }) => id,
});

const close = adminCommand({
  name: 'listeners.close',
  about: "Remove a listener's endpoint.",
  options: { endpoint, url },
  async run(work, { endpoint: id, url: address }) {
    const owner = await ownerOf(work, id, address);
    const about = 'partnerId' in owner ? owner : await aboutStore(work, owner.workspaceId);
    await deleteEndpoint(work.commands(about), owner, id);
    work.listeners?.withdraw(address);
    return { endpoint: id };
  },
  text: ({ endpoint: id }) => id,
});

export const listenerCommands: readonly AdminCommand[] = [open, renew, close];
