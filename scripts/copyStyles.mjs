// Copies the pages' styles next to their compiled scripts, since the compiler copies none. Imports of a style are inlined, so that a page
// loads one file.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^@import "([^"]+)";\n/gm;

const whole = (file) =>
  readFileSync(file, 'utf8').replace(IMPORT, (_, imported) => whole(join(dirname(file), imported)));

const FOLDER = 'api/pages/assets';
mkdirSync(join('dist', FOLDER), { recursive: true });
for (const file of readdirSync(FOLDER))
  if (file.endsWith('.css')) writeFileSync(join('dist', FOLDER, file), whole(join(FOLDER, file)));
