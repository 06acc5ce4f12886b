/** A project of one projection, whose handlers a test changes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { handlerFingerprints } from '../../engine/projections/handlerFingerprints.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';

export const RULE = "export const doubled = (n) => n * 2; // a comment\nexport const NAME = 'a  ,}';\n";
export const handlers = (version = 1) => `
import { doubled } from '../domain/rule.js';
export const sums = {
  name: 'sums', version: ${version}, categories: ['basket'], keys: { sum: 'number' }, indexes: [{ keys: ['sum'] }],
  on: {
    ItemsAdded: (view, { data }) => {
      const sum = (view?.body.sum ?? 0) + doubled(data.items.length);
      return { keys: { sum }, body: { sum } };
    },
  },
};
`;

/** A project of two floors: a projection, and the rule that it imports. */
export function project() {
  const folder = temporaryFolder();
  const write = (path: string, code: string): void => {
    mkdirSync(join(folder.path, path, '..'), { recursive: true });
    writeFileSync(join(folder.path, path), code);
  };
  const index = join(folder.path, 'projections/index.js');
  write('package.json', '{"type":"module"}');
  write('domain/rule.js', RULE);
  write('projections/sums.js', handlers());
  write('projections/index.js', "import { sums } from './sums.js';\nexport const projections = [sums];\n");
  return {
    write,
    index: pathToFileURL(index).href,
    remove: folder.remove,
    async fingerprint(): Promise<string> {
      const module = (await import(pathToFileURL(index).href)) as { projections: AnyProjection[] };
      const found = await handlerFingerprints(pathToFileURL(index).href, module.projections);
      return found.get('sums')!.current;
    },
  };
}
