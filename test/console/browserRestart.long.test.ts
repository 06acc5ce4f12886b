/** A tab that is open while the service restarts: it connects again, and goes on from what it saw last. */

import { join } from 'node:path';
import { expect } from 'chai';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { commandLine } from '../support/stages/commandLine.js';

async function openRestartable() {
  const folder = temporaryFolder('suuq-console-restart-');
  const data = join(folder.path, 'data');
  const { json } = commandLine(data);
  let service: ServiceProcess = await startService(data);
  const { baseUrl } = service;
  return {
    baseUrl,
    link: (...words: string[]): string => json('console', ...words).url,
    stop: () => service.stop(),
    async start() {
      service = await startService(data, { PORT: new URL(baseUrl).port });
    },
    async close() {
      await service.stop();
      folder.remove();
    },
  };
}

describe('the console while the service restarts', function () {
  this.timeout(180_000);
  const pages = consolePages(openRestartable, (scanned, ...words) => scanned.link(...words));

  it('shows that it reconnects, keeps its content, and continues with the missed events', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(`${pages.seen.baseUrl}/console/events?type=ConsoleLinkMade`);
    await page.getByText('Live', { exact: true }).waitFor();
    const rows = page.getByRole('row');
    const before = await rows.count();
    await pages.seen.stop();
    await page.getByText('Reconnecting…').waitFor();
    expect(await rows.count()).to.equal(before);
    await pages.seen.start();
    // The start makes a link, while the tab may not have come back yet.
    await page.getByText('Live', { exact: true }).waitFor();
    await rows.nth(before).waitFor();
    pages.seen.link();
    await rows.nth(before + 1).waitFor();
    expect(await rows.count()).to.equal(before + 2);
    // The browser notes each connection that fails.
    pages.troubles.splice(0);
    await context.close();
  });
});
