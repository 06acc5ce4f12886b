import { defined } from '../../domain/defined.js';
import { backup } from '../backup/backup.js';
import { restore } from '../backup/restore.js';
import { quietLog } from '../log.js';
import { release } from '../release.js';
import { readBackupSettings, readPlace } from '../settings/backupSettings.js';
import type { Env } from '../settings/environment.js';
import { readDataSettings } from '../settings/settings.js';
import type { Upkeep } from './command.js';

/** What an engine has not answered by then, such as a name that nobody resolves, keeps the process no longer, in ms. */
const LINGER_MS = 500;

/** `untilStopped`: a signal that ends what is under way, with the reason that says what became of it. */
export const createUpkeep = (env: Env, untilStopped: (then: string) => AbortSignal): Upkeep => ({
  async backup(place, options, tell) {
    const input = {
      settings: readBackupSettings(env),
      place: readPlace(env, place),
      ...options,
      version: release.version,
      now: Date.now(),
    };
    return backup(input, { tell, signal: untilStopped('What was copied is no backup, and was removed.') });
  },
  async restore(place, { forgotten }, tell) {
    const input = { settings: readBackupSettings(env), place: readPlace(env, place), ...defined({ forgotten }) };
    return restore(input, { tell, signal: untilStopped('The data folder is empty again.') });
  },
  async verify(tell) {
    const { verify } = await import('../verify/verify.js');
    return verify(readDataSettings(env), quietLog(), { tell, signal: untilStopped('Nothing was changed.') });
  },
  async audit(asked, tell) {
    const { auditLog } = await import('../audit/auditLog.js');
    return auditLog(env, asked, { tell, signal: untilStopped('Nothing was changed.') });
  },
  async tryProjection(asked, tell) {
    const { overLog } = await import('../projections/overHistory.js');
    const { tryProjection } = await import('../projections/tryProjection.js');
    const run = { tell, signal: untilStopped('Nothing was changed.') };
    return overLog(env, (log) => tryProjection(log, asked, run));
  },
  async query(asked, from, take, tell) {
    const { queryInstallation } = await import('../analysis/asking.js');
    return queryInstallation(env, asked, from, take, { tell, signal: untilStopped('Nothing was changed.') });
  },
  async exportEvents(asked, tell) {
    const { exportInstallation } = await import('../analysis/asking.js');
    const then = 'What the manifest names stands; the same command goes on where this one ended.';
    return exportInstallation(env, asked, { tell, signal: untilStopped(then) });
  },
  async tailEvents(asked, take) {
    const { tailEvents } = await import('../streams/tail.js');
    return tailEvents(env, asked, take, untilStopped('It was followed until now.'));
  },
  async diffProjection(name, tell) {
    const { diffStored } = await import('../projections/overHistory.js');
    return diffStored(env, name, { tell, signal: untilStopped('Nothing was changed.') });
  },
  async doctor() {
    const { diagnosed } = await import('../doctor/doctor.js');
    const diagnosis = await diagnosed({ env, ...release });
    setTimeout(() => process.exit(), LINGER_MS).unref();
    return diagnosis;
  },
});
