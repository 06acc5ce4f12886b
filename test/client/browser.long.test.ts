/** The packaged client in a browser with another origin than the service, without Node APIs. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient, createUserToken } from '../../client/src/index.js';
import { chromiumPath, openBrowser } from '../../harness/service/browser.js';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { type ConformanceStage, conformanceStage } from '../support/conformance/stage.js';

/** Script of the page. It returns plain JSON. */
const PAGE = `async ({ baseUrl, publishableKey, userToken, workspaceId }) => {
  const { openSession, isProblem } = await import('/index.js');
  const session = await openSession({ baseUrl, publishableKey, userToken });
  const { teams } = await session.client.listTeams({ workspaceId });
  const products = [];
  for await (const { externalId } of session.client.listProducts.each({ workspaceId, limit: 1 })) products.push(externalId);
  const file = new Blob(['Dear all'], { type: 'text/plain' });
  const { id } = await session.client.uploadFile({ workspaceId, file: { content: file, filename: 'note.txt' } });
  const bytes = await (await session.client.getFile({ workspaceId, fileId: id })).bytes();
  await session.end();
  const after = await session.client.listTeams({ workspaceId }).catch((error) => isProblem(error) && error.code);
  return { teams: teams.length, products, text: new TextDecoder().decode(bytes), after };
}`;

describe('the client in a browser', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-client-');
  let stage: ConformanceStage;
  let server: Server;
  const path = chromiumPath();

  before(async function () {
    if (path === undefined) return this.skip();
    const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');
    const built = spawnSync(
      process.execPath,
      [tsc, '-p', 'client', '--outDir', folder.path, '--incremental', 'false'],
      {
        cwd: projectFolder,
        encoding: 'utf8',
      },
    );
    expect(built.stdout).to.equal('');
    stage = await conformanceStage();
    server = createServer(({ url = '/' }, response) => {
      const script = /^\/(\w+\.js)$/.exec(url)?.[1];
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
      response.end(script === undefined ? '<!doctype html>' : readFileSync(join(folder.path, script)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server?.close();
    await stage?.close();
    folder.remove();
  });

  it('opens a session, reads, iterates a list, sends a file, and signs out', async () => {
    const { baseUrl, main } = stage;
    const { workspaceId, externalRef } = main.store;
    const { key: publishableKey } = await stage.operator('keys.create', {
      partner: main.id,
      mode: 'live',
      kind: 'publishable',
    });
    const suuq = createClient({ baseUrl, credential: main.key });
    for (const externalId of ['a', 'b'])
      await suuq.upsertProduct({
        workspaceId,
        externalId,
        body: { name: externalId, imageUrls: ['https://shop.example.com/a.jpg'], priceCents: 100 },
      });
    const user = { sub: 'user-18', name: 'Ayaan', stores: [{ externalRef, role: 'supervisor' }] } as const;
    const userToken = await createUserToken(main.key, user);
    const { browser, close } = await openBrowser(path!);
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const requested = { baseUrl, publishableKey, userToken, workspaceId };
      const seen = await page.evaluate(`(${PAGE})(${JSON.stringify(requested)})`);
      expect(seen).to.deep.equal({ teams: 0, products: ['a', 'b'], text: 'Dear all', after: 'session_ended' });
    } finally {
      await close();
    }
  });

  it('imports nothing but itself', () => {
    const scripts = readdirSync(folder.path).filter((name) => name.endsWith('.js'));
    expect(scripts).to.include('index.js');
    for (const script of scripts)
      for (const [, from] of readFileSync(join(folder.path, script), 'utf8').matchAll(/\bfrom '([^']+)'/g))
        expect(from, script).to.match(/^\.\/\w+\.js$/);
  });
});
