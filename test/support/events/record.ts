/**
 * `npm run events`: records new shapes and samples and writes docs/reference/events.md. Refuses changes that would make
 * stored events unreadable.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../harness/service/serviceProcess.js';
import { storedEvents } from '../../../service/composition/events.js';
import { readShapes, readText, recordings } from './recorded.js';
import { changedShapes } from './shapes.js';

const refused = changedShapes(storedEvents, readShapes(), true);
if (refused.length > 0) {
  process.stderr.write(`${refused.join('\n')}\nNothing was recorded.\n`);
  process.exitCode = 1;
} else
  for (const [file, text] of Object.entries(recordings())) {
    if (text === readText(file)) continue;
    writeFileSync(join(projectFolder, file), text);
    process.stdout.write(`${file} was written\n`);
  }
