/** Reading commands next to a busy service: its databases stay locked, so no other process empties their indexes under it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { suuqConcurrently } from '../support/stages/commandLine.js';
import { unprotected } from '../support/tools/databaseLocks.js';
import { until } from '../support/tools/until.js';

const WRITTEN_BYTES = 5 * 1024 * 1024;
/** Larger than a database whose write-ahead log was never moved. */
const MOVED_BYTES = 3 * 1024 * 1024;
const TEXT = 'Cotton, made to be worn for years. '.repeat(80);

describe('databases of a busy service', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-locks-');
  let service: ServiceProcess;

  before(async function () {
    // /proc/locks is Linux.
    if (process.platform !== 'linux') this.skip();
    service = await startService(folder.path);
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  it('stay locked after more than 5 MiB of writes, and when commands have read them', async () => {
    const { workspaceId, secretKey } = readDemo(folder.path).store;
    const size = (name: string): number => statSync(join(folder.path, name)).size;
    const isMoved = (name: string): boolean =>
      size(name) > MOVED_BYTES && size(name) + size(`${name}-wal`) > MOVED_BYTES + WRITTEN_BYTES;
    let done = false;
    const write = async (_: unknown, writer: number): Promise<number> => {
      let acknowledged = 0;
      for (; !done; acknowledged += 1) {
        const answer = await fetch(
          `${service.baseUrl}/api/v1/workspaces/${workspaceId}/commerce/products/P${writer}-${acknowledged}`,
          {
            method: 'PUT',
            headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
            body: JSON.stringify({
              name: 'Shirt',
              imageUrls: ['https://images.example.com/a.jpg'],
              priceCents: 100,
              description: TEXT,
            }),
          },
        );
        expect(answer.status, await answer.text()).to.be.within(200, 299);
      }
      return acknowledged;
    };
    const writing = Promise.all([1, 2, 3, 4].map(write));
    const bothMoved = until('both logs are moved', () => isMoved('events.db') && isMoved('views.db'), 120_000);
    await Promise.race([writing, bothMoved]);
    done = true;
    expect(Math.max(...(await writing))).to.be.greaterThan(0);
    expect(unprotected(folder.path, service.pid)).to.deep.equal([]);
    for (const words of [
      ['query', 'select count(*) from events'],
      ['projections', 'status'],
    ])
      expect((await suuqConcurrently(folder.path, words)).status, words.join(' ')).to.equal(0);
    expect(unprotected(folder.path, service.pid)).to.deep.equal([]);
  });
});
