/** Process that a test kills. Writes files into a folder, several at once, and reports each stored file. */
import { openFolderFiles } from '../../../infrastructure/files/folderFiles.js';
import { chunks, content } from '../../contracts/fileStoreContract.js';

const [, , folder = '', run = ''] = process.argv;
const store = await openFolderFiles({ folder, alone: true });
const bytes = content(2 * 1024 * 1024);

async function writeOn(writer: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    await store.put(`run${run}/${writer}-${turn}`, chunks(bytes), { mostBytes: bytes.length });
    process.stdout.write('stored\n');
  }
}
await Promise.all([1, 2, 3].map(writeOn));
