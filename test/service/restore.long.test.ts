/** Restores, in real processes, of a log that is older than its derived data, or of a log without its work store. */
import { expect } from 'chai';
import { onRestoredEngines, type RestoreStage } from '../support/stages/restoreStage.js';

onRestoredEngines('a service after a restore', (start, { buildsViews }) => {
  let stage: RestoreStage;
  before(async function () {
    this.timeout(200_000);
    stage = await start();
    await stage.start();
    await stage.prepare();
    await stage.buy(1);
    await stage.stop();
    await stage.saveLog();
    await stage.start();
    for (const n of [2, 3]) await stage.buy(n);
    await stage.kill();
  });
  after(() => stage.close());

  it('does not start on a log that is older than its work database, and explains what to do', async () => {
    await stage.putBackLog();
    const text = await stage.refused();
    expect(text).to.match(/log_is_older: .*Restore the newer log.*suuq processors settle --reason/);
    const requested = await stage.suuq('admin', 'partners', 'list');
    expect([requested.status, requested.stdout]).to.deep.equal([1, '']);
    expect(requested.stderr).to.match(/^log_is_older: /);
  });

  it("starts once an operator declares that nothing is pending, and shows the log's content and new events", async () => {
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
    const before = [...stage.notified];
    await stage.buy(4);
    expect(await stage.orders()).to.deep.equal([1, 2]);
    expect(stage.notified.slice(before.length), 'the new order alone').to.have.length(1);
    const again = await stage.suuq('processors', 'settle', '--reason', 'once more');
    expect(again.stderr).to.match(/^(not_needed|data_folder_in_use): /);
    await stage.kill();
  });

  it('does not repeat a log’s effects if its work database was lost', async () => {
    await stage.loseWork();
    const text = await stage.refused();
    expect(text).to.match(/work_is_missing: .*Restore the work.*suuq processors settle --reason/);
    const settled = await stage.suuq('processors', 'settle', '--reason', 'no copy of the work is left');
    expect([settled.status, settled.stderr]).to.deep.equal([0, '']);
    const before = stage.notified.length;
    await stage.start();
    await stage.buy(5);
    expect(await stage.orders()).to.deep.equal([1, 2, 3]);
    expect(stage.notified.length, 'nothing is told again').to.equal(before + 1);
    expect(new Set(stage.notified).size).to.equal(stage.notified.length);
    await stage.stop();
    await stage.start();
    expect(await stage.orders()).to.deep.equal([1, 2, 3]);
    expect(stage.notified.length).to.equal(before + 1);
    await stage.stop();
  });

  if (!buildsViews) return;

  it('builds views of a newer log by itself, is not ready until then, and shows its progress', async () => {
    await stage.putBackLog();
    await stage.loseWork();
    expect((await stage.suuq('processors', 'settle', '--reason', 'an old copy')).status).to.equal(0);
    await stage.grow();
    const { ready, listed } = await stage.startWatched();
    const building = ready.filter(({ body }) => body.phase === 'ready');
    expect(building, 'it was seen while it built').to.not.have.length(0);
    for (const { body } of building) {
      const { detail, percent } = body.checks.find(({ name }: { name: string }) => name === 'projections');
      expect(detail).to.match(/^being built: \d+ of \d+ cannot be read yet, \d+ % done$/);
      expect(percent).to.be.within(0, 99);
    }
    const refused = listed.filter(({ status }) => status === 503);
    expect(refused).to.not.have.length(0);
    for (const { headers, body } of refused) {
      expect(body.code).to.equal('unavailable');
      expect(body.detail)
        .to.match(/being built from the event log/)
        .and.not.include('outcome');
      expect(Number(headers.get('retry-after'))).to.equal(5);
    }
    for (const { status, body } of listed) if (status === 200) expect(body.orders).to.have.length(1);
    expect(await stage.orders()).to.deep.equal([1]);
    const before = stage.notified.length;
    await stage.buy(6);
    expect(stage.notified.length).to.equal(before + 1);
    expect(stage.service.output(), 'nothing failed for want of a view').to.not.include('task failed, retrying');
    await stage.stop();
  });

  it('rebuilds lost views', async () => {
    await stage.loseViews();
    await stage.start();
    expect(await stage.orders(), 'ready means that they can be read').to.deep.equal([1, 2]);
    await stage.stop();
  });
});
