import { refuse } from '../../domain/decider.js';
import { requestReplaySince } from '../../domain/webhooks/endpointChanges.js';
import { isStanding, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';

function timeOf(fields: Fields, name: 'since' | 'until', text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) fields.problem(name, 'must be a time, such as 2026-03-01T08:00:00Z', text);
  return ms;
}

/**
 * `{endpoint, since, until?}` → the same: what the endpoint was not told since then is sent to it. Refuses `not_found`,
 * `webhook_endpoint_disabled` and `validation_failed`, as the API's operation does.
 */
export async function replayWebhooks(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const endpoint = fields.text('endpoint');
  const since = timeOf(fields, 'since', fields.text('since')) ?? 0;
  const until = timeOf(fields, 'until', fields.optionalText('until'));
  fields.check();
  const owner = await work
    .commands()
    .query(webhookEndpoint, endpoint, (state) =>
      isStanding(state) ? state.owner : refuse('not_found', `There is no webhook endpoint ${endpoint}.`),
    );
  const about = 'partnerId' in owner ? owner : await aboutStore(work, owner.workspaceId);
  const time = { since, until, now: Date.now() };
  await work.commands(about).decide(webhookEndpoint, endpoint, requestReplaySince(owner, time));
  const told = { endpoint, since: new Date(since).toISOString() };
  return until === undefined ? told : { ...told, until: new Date(until).toISOString() };
}
