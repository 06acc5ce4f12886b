/** What a restore may leave: a log that is older than what was made of it, or one without its work. Real processes. */
import { expect } from 'chai';
import { onRestoredEngines, type RestoreStage } from '../support/restoreStage.js';

onRestoredEngines('a service after a restore', (start) => {
  let stage: RestoreStage;
  before(async function () {
    this.timeout(200_000);
    stage = await start();
    await stage.start();
    await stage.prepare();
    await stage.buy(1);
    await stage.stop();
    await stage.keepLog();
    await stage.start();
    for (const n of [2, 3]) await stage.buy(n);
    await stage.kill();
  });
  after(() => stage.close());

  it('does not start on a log that is older than its work, and says what to do', async () => {
    await stage.putBackLog();
    const said = await stage.refused();
    expect(said).to.match(/log_is_older: .*Restore the newer log.*suuq processors settle --reason/);
    const asked = await stage.suuq('admin', 'partners', 'list');
    expect([asked.status, asked.stdout]).to.deep.equal([1, '']);
    expect(asked.stderr).to.match(/^log_is_older: /);
  });

  it('starts once somebody has said that nothing is owed, shows what the log holds and what comes next', async () => {
    const settled = await stage.suuq('processors', 'settle', '--reason', 'the disk is gone', '--json');
    expect(settled.status, settled.stderr).to.equal(0);
    expect(JSON.parse(settled.stdout)).to.deep.include({ because: 'log_is_older' });
    expect(JSON.parse(settled.stdout).processors).to.include('webhooks');
    await stage.start();
    expect(await stage.orders(), 'only what the log holds').to.deep.equal([1]);
    const hat = { name: 'Hat', imageUrls: ['https://images.example.com/hat.jpg'], priceCents: 900 };
    expect((await stage.call('PUT', '/commerce/products/hat', hat)).status).to.equal(201);
    const listed = await stage.call('GET', '/commerce/products');
    expect(listed.body.products.map(({ externalId }: { externalId: string }) => externalId)).to.have.members([
      'shirt',
      'hat',
    ]);
    const before = [...stage.told];
    await stage.buy(4);
    expect(await stage.orders()).to.deep.equal([1, 2]);
    expect(stage.told.slice(before.length), 'the new order alone').to.have.length(1);
    const again = await stage.suuq('processors', 'settle', '--reason', 'once more');
    expect(again.stderr).to.match(/^(not_needed|data_folder_in_use): /);
    await stage.kill();
  });

  it('does not do a log’s effects again where its work was lost', async () => {
    await stage.loseWork();
    const said = await stage.refused();
    expect(said).to.match(/work_is_missing: .*Restore the work.*suuq processors settle --reason/);
    const settled = await stage.suuq('processors', 'settle', '--reason', 'no copy of the work is left');
    expect([settled.status, settled.stderr]).to.deep.equal([0, '']);
    const before = stage.told.length;
    await stage.start();
    await stage.buy(5);
    expect(await stage.orders()).to.deep.equal([1, 2, 3]);
    expect(stage.told.length, 'nothing is told again').to.equal(before + 1);
    expect(new Set(stage.told).size).to.equal(stage.told.length);
    await stage.stop();
    await stage.start();
    expect(await stage.orders()).to.deep.equal([1, 2, 3]);
    expect(stage.told.length).to.equal(before + 1);
    await stage.stop();
  });

  it('builds views of a newer log anew by itself, where log and work are of one time', async () => {
    // The work is put back with its log: what stands in both is the same as when they were kept.
    await stage.putBackLog();
    await stage.loseWork();
    expect((await stage.suuq('processors', 'settle', '--reason', 'an old copy')).status).to.equal(0);
    await stage.start();
    expect(await stage.orders()).to.deep.equal([1]);
    await stage.stop();
  });
});
