import { requestReplaySince, timeProblems } from '../../../domain/webhooks/endpointChanges.js';
import { webhookEndpoint } from '../../../domain/webhooks/webhookEndpoint.js';
import type { BodyRule } from '../../contract/operation.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import type { Owners } from './owners.js';
import { WebhookReplayInputBody } from './schemas.js';

const timeOf = ({ since, until }: { since: string; until?: string | undefined }, now: number) => ({
  since: Date.parse(since),
  until: until === undefined ? undefined : Date.parse(until),
  now,
});

const timeRule: BodyRule = {
  fields: ['since', 'until'],
  problems: (body, { now }) => (body.since === undefined ? [] : timeProblems(timeOf(body, now))),
};

export const replayWebhookEndpoint = (of: Owners) =>
  operation({
    id: of.id('replayWebhookEndpoint'),
    route: `POST ${of.prefix}/webhook-endpoints/{endpointId}/replay`,
    summary:
      'Resends the events that an endpoint has missed since a time, such as while it was disabled: in order and with the same ids.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    addition: 'An addition to the specification: events from while an endpoint was disabled are in no delivery log.',
    params: { endpointId: Uuid },
    body: WebhookReplayInputBody,
    rules: [timeRule],
    answers: { 202: null },
    problems: ['not_found', 'webhook_endpoint_disabled'],
    idempotent: true,
    async handle(request) {
      const { params, body, commands, now } = request;
      await commands.decide(
        webhookEndpoint,
        params.endpointId,
        requestReplaySince(of.owner(request), timeOf(body, now)),
      );
      return { status: 202 };
    },
  });
