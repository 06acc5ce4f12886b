// The pages' styles go beside their compiled scripts: the compiler copies none.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

for (const folder of ['api/pages/assets', 'infrastructure/sandbox/page']) {
  mkdirSync(join('dist', folder), { recursive: true });
  for (const file of readdirSync(folder))
    if (file.endsWith('.css')) copyFileSync(join(folder, file), join('dist', folder, file));
}
