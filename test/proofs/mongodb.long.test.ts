/** Tree, heads and keys in MongoDB, as several instances share them: nobody owns the tree, and all make the same. */
import { expect } from 'chai';
import { Proofs } from '../../application/proofs/proofs.js';
import { LogTree } from '../../engine/proofs/logTree.js';
import { Tree } from '../../engine/proofs/tree.js';
import { emulator, type MongoPlace, onMongo, server, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { audit } from '../../upkeep/audit/audit.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { BEGIN, openProofs, type ProofsStage, proofsStage } from '../support/stages/proofsStage.js';

const ORDERS = 120;

function suite(place: MongoPlace): void {
  let stage: ProofsStage;
  before(async () => {
    stage = await proofsStage(ORDERS);
  });
  after(() => stage?.remove());

  it('has the same root as the embedded one, whichever instance adds to it', async () => {
    const database = await testDatabase(place);
    const clock = fakeClock(BEGIN + 3_600_000);
    const secretBox = createSecretBox(Buffer.alloc(32, 7));
    const instance = async () => {
      const work = await openMongoReadModels(database.url, { prefix: 'work' });
      const log = openStoredRows(stage.folder);
      const tree = new LogTree(log, await Tree.open(work));
      const proofs = new Proofs({ work, secretBox, sealingKeys: secretBox, clock, tree });
      return { work, log, tree, proofs, close: async () => void (await Promise.all([log.close(), work.close()])) };
    };
    const [one, other] = [await instance(), await instance()];
    const heads = await Promise.all([one.proofs.sign(), other.proofs.sign()]);
    // One head a size: both give out the one that was first.
    expect(heads[0]).to.deep.equal(heads[1]);
    const embedded = await openProofs(stage.folder);
    expect(heads[0]!.rootHash).to.equal((await embedded.proofs.latest())!.rootHash);
    await embedded.close();
    const bundle = await other.proofs.bundle('order-o9');
    expect(bundle.events.map(({ index }) => index)).to.deep.equal([27, 28, 29]);
    const parts = { ...one, tiles: one.work, outside: { heads: [], keys: [] }, toleranceSeconds: 120 };
    const result = await audit(parts, { report() {}, signal: new AbortController().signal });
    expect(result).to.include({ whole: true, events: ORDERS * 3, inTree: ORDERS * 3, heads: 1 });
    await one.proofs.keys.rotate();
    expect((await other.proofs.publicKeys()).filter(({ retiredAt }) => retiredAt === undefined)).to.have.length(1);
    await one.close();
    await other.close();
    await database.close();
  });
}

for (const place of [emulator, server]) onMongo(place, 'proofs', () => suite(place));
