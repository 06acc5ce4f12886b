/** `npm run client`: writes the types of the console's client from the OpenAPI document. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_FILE, clientTypes } from './consoleClientTypes.js';
import { projectFolder } from './serviceProcess.js';

writeFileSync(join(projectFolder, CLIENT_FILE), clientTypes());
process.stdout.write(`${CLIENT_FILE} was written\n`);
