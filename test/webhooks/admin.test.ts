/** Commands of operators for webhook endpoints, on the command line. */
import { expect } from 'chai';
import { runCli } from '../../cli/run.js';
import type { Decision } from '../../domain/decider.js';
import { createWebhookEndpoint, type WebhookEndpoint, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { WebhookEndpointEvent } from '../../domain/webhooks/webhookEvents.js';
import { type AccessStage, openAccessStage } from '../support/stages/accessStage.js';

const PARTNER = '00000000-0000-4000-8000-0000000000b1';
const ENDPOINT = '00000000-0000-4000-8000-0000000000e1';
const HOUR = 3_600_000;

describe('command line, webhooks', () => {
  let stage: AccessStage;
  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
  const decide = (name: string, decision: Decision<WebhookEndpoint, WebhookEndpointEvent>) => {
    const context = { commandId: name, actor: { type: 'api_key' }, correlationId: 'spec' } as const;
    return stage.instance.services.commandHandler.decide(context, webhookEndpoint, ENDPOINT, decision);
  };

  before(async () => {
    stage = await openAccessStage();
    const settings = { url: 'https://example.com/hook', description: '', events: ['order.created'], createdBy: 'key' };
    const secret = { secretSealed: 'sealed', secretLast4: 'wxyz' };
    await decide('make', createWebhookEndpoint({ owner: { partnerId: PARTNER }, ...settings, ...secret }));
  });
  after(() => stage?.close());

  async function replay(...more: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runCli(['admin', 'webhooks', 'replay', ...more], {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      watched: false,
      version: '0',
      withExecute: (work) => work((command, input) => stage.operator(command, input as object)),
      start: async () => 0,
      sandbox: async () => 0,
      move: async () => ({}),
      settle: async () => ({}),
      upkeep: () => Promise.reject(new Error('nothing may be copied')),
    });
    return { code, out, err };
  }
  const refused = async (...more: string[]): Promise<string> => {
    const { code, err } = await replay(...more);
    expect(code).to.equal(1);
    return err.split(':')[0]!;
  };

  it('requests a replay in the name of the endpoint’s owner', async () => {
    const since = ago(2 * HOUR);
    const until = ago(HOUR);
    const { code, out, err } = await replay('--endpoint', ENDPOINT, '--since', since, '--until', until, '--json');
    expect(code, err).to.equal(0);
    expect(JSON.parse(out)).to.deep.equal({ endpoint: ENDPOINT, since, until });
    const [requested] = await stage.instance.services.eventStore.readStream(`webhookEndpoint-${ENDPOINT}`, {
      direction: 'backwards',
      limit: 1,
    });
    expect(requested).to.include({ type: 'WebhookReplaySinceRequested' });
    expect(requested!.data).to.deep.equal({ owner: { partnerId: PARTNER }, since, until });
    expect(requested!.meta).to.include({ partnerId: PARTNER });
  });

  it('reports errors', async () => {
    const since = ago(HOUR);
    expect(await refused('--endpoint', PARTNER, '--since', since)).to.equal('not_found');
    expect(await refused('--endpoint', ENDPOINT, '--since', 'yesterday')).to.equal('validation_failed');
    expect(await refused('--endpoint', ENDPOINT, '--since', ago(31 * 24 * HOUR))).to.equal('validation_failed');
    await decide('off', () => [
      { type: 'WebhookEndpointDisabled', data: { owner: { partnerId: PARTNER }, reason: 'manual' } },
    ]);
    expect(await refused('--endpoint', ENDPOINT, '--since', since)).to.equal('webhook_endpoint_disabled');
  });
});
