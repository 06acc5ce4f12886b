/** The guides' commands, run unchanged against a running service. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  EMBEDDED,
  projectFolder,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';

const run = promisify(execFile);

/** Returns the blocks of a page that a shell can run. Blocks with a word after `sh` need a person. */
const blocksOf = (guide: string): string[] =>
  [...readFileSync(join(projectFolder, 'docs/guides', guide), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code!,
  );

describe('the commands of the guides', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-shell-');
  let service: ServiceProcess;
  let first: string;
  before(async () => {
    service = await startService(join(folder.path, 'data'));
    first = blocksOf('first-order.md')[0]!.replace('http://127.0.0.1:3000', service.baseUrl);
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  const typed = async (...blocks: readonly string[]): Promise<string> => {
    const script = [
      'curl() { command curl --fail-with-body -sS --max-time 20 "$@"; }',
      `npx() { shift; ${process.execPath} ${suuqCommand} "$@"; }`,
      ...blocks,
    ].join('\n');
    const env = { ...process.env, ...EMBEDDED };
    return (await run('sh', ['-euc', script], { cwd: folder.path, env, timeout: 90_000 })).stdout;
  };

  it('make the first order', async () => {
    const [, ...steps] = blocksOf('first-order.md');
    expect(steps.length).to.equal(5);
    const reported = await typed(first, ...steps);
    expect(reported)
      .to.include('"result":"created"')
      .and.to.include('"status":"paid"')
      .and.to.include('"status":"preparing"');
    expect(reported).to.include('Packed by Asha');
  });

  it('connect a store to its payments', async () => {
    expect(await typed(first, ...blocksOf('payments.md'))).to.include('"ok":true');
  });

  it('create something once, however often they are sent', async () => {
    const reported = await typed(first, ...blocksOf('retries.md'));
    const ids = [...reported.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).to.equal(2);
    expect(ids[0]).to.equal(ids[1]);
    expect(reported.toLowerCase()).to.include('idempotent-replayed: true');
  });

  it('page through a list to its end', async () => {
    const put = (id: string): string => blocksOf('first-order.md')[1]!.replaceAll('dirac-indigo', id);
    const counting = 'curl() { echo >> asked; command curl --fail-with-body -sS --max-time 20 "$@"; }';
    const all = `curl "$SUUQ_URL/api/v1/workspaces/$STORE/commerce/products?limit=200" -H "Authorization: Bearer $SUUQ_KEY"`;
    const ended = `printf '\n%s asked, cursor [%s]\n' "$(wc -l < asked)" "$cursor"`;
    const products = [put('one'), put('two'), put('three')];
    const reported = await typed(first, ...products, counting, ...blocksOf('paging.md'), ended, all);
    const { products: listed } = JSON.parse(reported.trim().split('\n').at(-1)!) as { products: unknown[] };
    expect(listed.length).to.be.greaterThan(2);
    // The first block requests only the first page.
    expect(reported).to.include(`${1 + Math.ceil(listed.length / 2)} asked, cursor []`);
  });
});
