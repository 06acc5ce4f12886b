import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { quietLog } from '../../service/log.js';
import { readMoveSettings } from '../../service/settings/moveSettings.js';
import { move } from '../../upkeep/move/move.js';
import { foundInstallation } from '../support/stages/installation.js';

describe('suuq move --to-folder', () => {
  const folder = temporaryFolder('suuq-stopped-move-');
  const data = join(folder.path, 'data');
  before(() => foundInstallation(data));
  after(() => folder.remove());

  it('continues in its own target when it was stopped before anything was copied', async () => {
    const settings = readMoveSettings({ SUUQ_DATA: data }, { folder: join(folder.path, 'moved'), seal: false });
    const stop = new AbortController();
    const reason = new Error('stopped');
    stop.abort(reason);
    const stopped = await move(settings, quietLog(), () => {}, stop.signal).catch((error) => error);
    expect(stopped).to.equal(reason);
    const { digest } = await move(settings, quietLog(), () => {}, new AbortController().signal);
    expect(digest).to.match(/^[0-9a-f]{64}$/);
  });
});
