// The pages' styles go beside their compiled scripts: the compiler copies none. What a style imports is put into it, so that a
// page asks for one file.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^@import "([^"]+)";\n/gm;

const whole = (file) =>
  readFileSync(file, 'utf8').replace(IMPORT, (_, imported) => whole(join(dirname(file), imported)));

const FOLDER = 'api/pages/assets';
mkdirSync(join('dist', FOLDER), { recursive: true });
for (const file of readdirSync(FOLDER))
  if (file.endsWith('.css')) writeFileSync(join('dist', FOLDER, file), whole(join(FOLDER, file)));
