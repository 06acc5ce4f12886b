/** `npm run client`: writes the generated code of the console's client and of the package `client/`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../harness/service/serviceProcess.js';
import { GENERATED_FILE, generatedClient } from './clientSource.js';
import { CLIENT_FILE, clientTypes } from './consoleClientTypes.js';

for (const [file, text] of [
  [CLIENT_FILE, clientTypes()],
  [GENERATED_FILE, generatedClient()],
] as const) {
  writeFileSync(join(projectFolder, file), text);
  process.stdout.write(`${file} was written\n`);
}
