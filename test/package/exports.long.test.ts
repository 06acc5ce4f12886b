/** Public exports of this package, as another package imports them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';

const PROGRAM = `
import { openEmbeddedReadModels } from 'suuq/embedded';
import { defineProjection, type DomainEvent, foldEvent, type View } from 'suuq/engine';
import type { StoreOrderBody } from 'suuq/api';
import { openStreams, Pulled, type Streams } from 'suuq/streams';

type Placed = DomainEvent<'OrderPlaced', { totalCents: number }>;
const revenue = defineProjection<{ cents: number }, Placed>({
  name: 'revenue', version: 1, categories: ['order'], keys: {}, indexes: [],
  on: {
    OrderPlaced: {
      ids: () => ['all'],
      evolve: (view, { data }) => ({ keys: {}, body: { cents: (view?.body.cents ?? 0) + data.totalCents } }),
    },
  },
});
const views = new Map<string, View<{ cents: number }> | undefined>();
const meta = { at: '2026-03-01T09:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };
const total: StoreOrderBody['totalCents'] = 1250;
const placed = { type: 'OrderPlaced', data: { totalCents: total }, id: 'e1', meta, stream: 'order-1', revision: 0, position: 0 };
foldEvent(revenue, views, placed);
const totals = ({ orders$ }: Streams) => orders$({ live: false }).concurrently(async ({ order }) => order.totalCents, 2);
console.log(views.get('all')?.body.cents, typeof openEmbeddedReadModels, typeof openStreams, typeof Pulled, typeof totals);
`;

describe('the package', () => {
  const folder = temporaryFolder('suuq-package-');
  after(() => folder.remove());
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' });

  it('exports the engine, the embedded engines, streams and the API types to dependent packages', () => {
    mkdirSync(join(folder.path, 'node_modules'));
    symlinkSync(projectFolder, join(folder.path, 'node_modules/suuq'), 'dir');
    writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ name: 'dependent', type: 'module' }));
    writeFileSync(join(folder.path, 'program.ts'), PROGRAM);
    const types = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--types', ''];
    const compiled = run(join(projectFolder, 'node_modules/typescript/bin/tsc'), ...types, 'program.ts');
    expect(compiled.stdout, 'types').to.equal('');
    const ran = run('program.js');
    expect(ran.stdout, ran.stderr).to.equal('1250 function function function function\n');
  });

  it('names every shape of the API’s document among its types', () => {
    const types = readFileSync(join(projectFolder, 'api/types.ts'), 'utf8');
    const named = [...types.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
    const files = readdirSync(join(projectFolder, 'api'), { recursive: true, encoding: 'utf8' });
    const declared = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(projectFolder, 'api', file), 'utf8').matchAll(/^export const (\w+) = Named\(/gm),
      ])
      .map(([, name]) => name);
    expect(declared.length).to.be.above(50);
    expect(named).to.have.members(declared);
  });
});
