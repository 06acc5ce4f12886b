/** Creates an installation without a demo, as a first start does. */
import { openInstance } from '../../../service/composition/instance.js';
import { createLog } from '../../../service/log.js';
import { readSettings } from '../../../service/settings/settings.js';

/** `folder`: created if missing. */
export async function foundInstallation(folder: string): Promise<void> {
  const instance = await openInstance(readSettings({ SUUQ_DATA: folder }), createLog('silent'));
  await instance.close();
}
