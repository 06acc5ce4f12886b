import { refuse } from '../../domain/decider.js';
import { requestReplaySince } from '../../domain/webhooks/endpointChanges.js';
import { isOpen, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import { aboutStore } from './context.js';
import { type AdminCommand, adminCommand } from './declaration.js';
import { text, time } from './options.js';

const replay = adminCommand({
  name: 'webhooks.replay',
  about: 'Send the webhooks that an endpoint missed since a time.',
  options: {
    endpoint: text({ value: 'ID', about: "The endpoint's id.", required: true }),
    since: time({ value: 'TIME', about: 'Time, such as 2026-03-01T08:00:00Z; at most 30 days ago.', required: true }),
    until: time({ value: 'TIME', about: 'End time, exclusive. Default: now.' }),
  },
  /** Refuses `not_found`, `webhook_endpoint_disabled` and `validation_failed`, as the API's operation does. */
  async run(work, { endpoint, since, until }) {
    const owner = await work
      .commands()
      .query(webhookEndpoint, endpoint, (state) =>
        isOpen(state) ? state.owner : refuse('not_found', `There is no webhook endpoint ${endpoint}.`),
      );
    const about = 'partnerId' in owner ? owner : await aboutStore(work, owner.workspaceId);
    const span = { since, until, now: Date.now() };
    await work.commands(about).decide(webhookEndpoint, endpoint, requestReplaySince(owner, span));
    const reported = { endpoint, since: new Date(since).toISOString() };
    return until === undefined ? reported : { ...reported, until: new Date(until).toISOString() };
  },
  text: ({ endpoint, since }) => `Resending the events that endpoint ${endpoint} missed since ${since}.`,
});

export const webhookCommands: readonly AdminCommand[] = [replay];
