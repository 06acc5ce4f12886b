import { expect } from 'chai';
import { partnerOperations } from '../../api/operations/partners/index.js';
import { createPartnerStore } from '../../application/access/partnerStores.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { stores } from '../../projections/stores.js';
import { shopDirectory } from '../support/stages/apiServer.js';
import { openStage, type Stage } from '../support/stages/stage.js';

const PARTNER = 'c7a00000-0000-4000-8000-000000000001';

describe('Partner API on an instance with late views', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage('late-views', { projections: [stores], sharedStore: true });
  });
  after(() => stage.close());

  it('finds a store that another instance has just created', async () => {
    let release = (): void => undefined;
    const principal = {
      ...({ kind: 'partner_key', keyId: 'key', mode: 'live', partnerId: PARTNER } as const),
      scopes: new Set(['partner.stores:view']),
    };
    const { url } = await stage.serve({
      operations: partnerOperations,
      directory: shopDirectory(() => principal, [], { partnerId: PARTNER }),
      progress: {
        waitFor(_, position, ms) {
          release();
          return stage.projections.waitFor(['stores'], position, ms);
        },
      },
    });
    const read = async (externalRef: string) => {
      const headers = { authorization: `Bearer psk_live_${'a'.repeat(40)}` };
      const answer = await fetch(`${url}/api/v1/partner/stores/${externalRef}`, { headers });
      return [answer.status, ((await answer.json()) as { name?: string }).name];
    };
    const by = { commandId: 'made there', actor: { type: 'system' }, correlationId: 'spec' } as const;
    release = stage.holdViews();
    await createPartnerStore(bindCommands(stage.commandHandler(), by), {
      ...{ partnerId: PARTNER, externalRef: 'new', name: 'Hodan Fashion', country: 'SO', timezone: 'Africa/Mogadishu' },
      ...{ owner: { email: 'hodan@example.com', name: 'Hodan Ali' }, locale: 'so', planKey: 'all' },
    });
    expect(await read('new')).to.deep.equal([200, 'Hodan Fashion']);
    expect(await read('other')).to.deep.equal([404, undefined]);
  });
});
