/** The notebook and the page for analysts, over an export. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { chromiumPath, openBrowser } from '../../harness/service/browser.js';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { exportInstallation } from '../../upkeep/analysis/installationRuns.js';
import type { ExportFormat } from '../../upkeep/analysis/manifest.js';
import { readManifest } from '../../upkeep/analysis/manifest.js';
import { LAMPS, SCARVES, writeShops } from '../support/stages/shopHistory.js';
import { pythonEnv } from '../support/tools/python.js';

const python = spawnSync('python3', ['-c', 'import duckdb'], { env: pythonEnv });
const without = python.status === 0 ? '' : ' (skipped: python3 with the package duckdb is not here)';

describe('the examples for analysts', () => {
  const folder = temporaryFolder('suuq-examples-');
  after(() => folder.remove());
  const exported = async (format: ExportFormat): Promise<string> => {
    const to = join(folder.path, format);
    const run = { report: () => undefined, signal: new AbortController().signal };
    await exportInstallation({ SUUQ_DATA: folder.path }, { folder: to, format, choice: {}, memoryMb: 256 }, run);
    return to;
  };
  before(() => writeShops(folder.path));

  it(`the notebook counts revenue by store and month${without}`, async function () {
    if (without !== '') return this.skip();
    const SUUQ_EXPORT = await exported('parquet');
    const files = [
      join(projectFolder, 'test/support/tools/runNotebook.py'),
      join(projectFolder, 'examples/revenue.ipynb'),
    ];
    const ran = spawnSync('python3', files, { env: { ...pythonEnv, SUUQ_EXPORT }, encoding: 'utf8' });
    expect(ran.stderr).to.equal('');
    expect(ran.stdout).to.include(`${SCARVES}  2026-01       2         30.00`);
    expect(ran.stdout).to.include(`${LAMPS}  2026-01       1          7.00`);
    expect(ran.stdout).to.include("[('Scarf', 6), ('Lamp', 2)]");
  });

  const chromium = chromiumPath();
  it(`the page sums the given files${chromium === undefined ? ' (skipped: Chromium is not here)' : ''}`, async function () {
    if (chromium === undefined) return this.skip();
    const folderOf = await exported('jsonl');
    const files = readManifest(folderOf)!.files.map(({ path }) => join(folderOf, path));
    const { browser, close } = await openBrowser(chromium);
    try {
      const page = await browser.newPage();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      const address = pathToFileURL(join(projectFolder, 'examples/revenue.html')).href;
      await page.goto(address);
      await page.setInputFiles('#files', files);
      const rows = page.locator('#revenue tbody tr');
      await rows.first().waitFor();
      expect(await rows.allTextContents()).to.deep.equal([
        `2026-01${SCARVES}230.00`,
        `2026-01${LAMPS}17.00`,
        `2026-02${SCARVES}140.00`,
      ]);
      expect(requested).to.deep.equal([address]);
    } finally {
      await close();
    }
  });
});
