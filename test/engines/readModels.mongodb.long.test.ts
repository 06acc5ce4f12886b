/** The contract of read models on MongoDB, which refuses everything for a while in the middle where it is the emulator. */
import { expect } from 'chai';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo, server, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { readModelsContract } from '../contracts/readModels.js';
import { LONGEST_CALL_MS, OUTAGE_MS, Outage } from '../support/doubles/outage.js';

/** Number of the call at which the outage begins; the suite makes some 500. */
const AT_CALL = 200;

onMongo(emulator, 'the read model contract', function () {
  this.timeout(90_000 + 2 * OUTAGE_MS);
  let way: FaultyProxy;
  let outage: Outage;
  before(async () => {
    way = await faultyProxy(new URL(await emulator.start()).host);
    outage = new Outage([way], AT_CALL);
  });
  after(async () => {
    await way.close();
    expect(outage.isOver, 'the outage is over').to.equal(true);
    if (OUTAGE_MS > LONGEST_CALL_MS) expect(outage.refusals).to.be.above(0);
  });

  readModelsContract(`MongoDB, ${emulator.name}, with an outage`, async () => {
    const database = await testDatabase(emulator);
    const url = `mongodb://${way.address}${new URL(database.url).pathname}`;
    const open = () => outage.outlasting(() => openMongoReadModels(url, { prefix: 'views' }));
    const models = await open();
    return {
      models,
      another: open,
      textOrder: 'utf-16',
      async close() {
        await models.close();
        await database.close();
      },
    };
  });
});

onMongo(server, 'the read model contract', () => {
  readModelsContract(`MongoDB, ${server.name}`, async () => {
    const database = await testDatabase(server);
    const open = () => openMongoReadModels(database.url, { prefix: 'views' });
    const models = await open();
    return {
      models,
      another: open,
      async close() {
        await models.close();
        await database.close();
      },
    };
  });
});
