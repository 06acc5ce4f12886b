/** Data folders of earlier releases: this release opens each, serves its data, and accepts changes. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { FOLDER_FORMAT, type StoredFormat } from '../../service/folder/folderFormat.js';
import { release } from '../../service/release.js';
import { answersOf, KEPT_ENV, releasesFolder, type StoredRelease } from '../support/releases/keptRelease.js';
import { commandLine, suuqConcurrently } from '../support/stages/commandLine.js';

/**
 * Lists the places where an earlier answer is missing or different now. Members may be added, and cursors and sync
 * state may differ.
 */
function lacks(then: unknown, now: unknown, at: string): string[] {
  if (/cursor$|\/sync\/|\/syncedAt$/i.test(at)) return [];
  if (Array.isArray(then))
    return Array.isArray(now) && now.length >= then.length
      ? then.flatMap((one, i) => lacks(one, now[i], `${at}/${i}`))
      : [at];
  if (typeof then === 'object' && then !== null)
    return Object.entries(then).flatMap(([name, value]) =>
      lacks(value, (now as Record<string, unknown> | undefined)?.[name], `${at}/${name}`),
    );
  return then === now ? [] : [`${at}: ${String(then)} → ${String(now)}`];
}

/** Hashes each file of a folder. */
const bytesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, hash('sha256', readFileSync(join(folder, name)))]),
  );

for (const version of readdirSync(releasesFolder))
  describe(`the data folder of release ${version}`, () => {
    const folder = temporaryFolder('suuq-release-');
    const data = join(folder.path, 'data');
    const retained = JSON.parse(readFileSync(join(releasesFolder, version, 'answers.json'), 'utf8')) as StoredRelease;
    let service: ServiceProcess | undefined;
    before(async () => {
      execFileSync('tar', ['-xzf', join(releasesFolder, version, 'data.tar.gz'), '-C', folder.path]);
      service = await startService(data, KEPT_ENV);
    });
    after(async () => {
      await service?.kill();
      folder.remove();
    });

    it('returns the same responses as that release', async () => {
      const now = await answersOf(service!, data, retained.workspaceId);
      expect(Object.keys(retained.answers).length).to.be.greaterThan(15);
      const before = Object.entries(retained.answers).filter(([path]) => !path.endsWith('/webhook-endpoints'));
      expect(before.flatMap(([path, answer]) => lacks(answer, now[path], path))).to.deep.equal([]);
    });

    it('is valid throughout, and shows which releases have used it', async () => {
      const ran = await suuqConcurrently(data, ['verify', '--json'], KEPT_ENV);
      expect([ran.status, ran.stderr.includes('damaged')], ran.stdout + ran.stderr).to.deep.equal([0, false]);
      const { format, release: last } = JSON.parse(readFileSync(join(data, 'format.json'), 'utf8')) as StoredFormat;
      expect([format, last]).to.deep.equal([FOLDER_FORMAT, release.version]);
    });

    it('accepts changes', async () => {
      const { key } = commandLine(data).json(
        ...[
          'admin',
          'keys',
          'create',
          '--workspace',
          retained.workspaceId,
          '--mode',
          'live',
          '--scope',
          'commerce:manage',
        ],
      );
      const url = `${service!.baseUrl}/api/v1/workspaces/${retained.workspaceId}/commerce/products/new-1`;
      const put = await fetch(url, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Hat', imageUrls: ['https://images.example.com/hat.jpg'], priceCents: 900 }),
      });
      expect(put.status).to.equal(201);
    });

    it('is rejected, and left unchanged, once a newer release has changed its format', async () => {
      await service!.stop();
      const file = join(data, 'format.json');
      const newer = JSON.stringify({
        format: FOLDER_FORMAT + 1,
        release: '99.0.0',
        since: '2030-01-01T00:00:00.000Z',
        before: [],
      });
      writeFileSync(file, newer);
      const before = bytesIn(data);
      for (const words of [
        ['start'],
        ['status'],
        ['verify'],
        ['backup', join(folder.path, 'backups')],
        ['admin', 'stores', 'list'],
      ]) {
        const ran = await suuqConcurrently(data, words, { ...KEPT_ENV, PORT: '0' });
        expect([words[0], ran.status, ran.stderr.split(':')[0]]).to.deep.equal([words[0], 1, 'newer_data_folder']);
        expect(ran.stderr).to.include('Run release 99.0.0 or newer');
      }
      const diagnosis = JSON.parse((await suuqConcurrently(data, ['doctor', '--json'], KEPT_ENV)).stdout);
      expect(JSON.stringify(diagnosis)).to.include('newer_data_folder').and.include('not looked at');
      expect(bytesIn(data)).to.deep.equal(before);
    });
  });
