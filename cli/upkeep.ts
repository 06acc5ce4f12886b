import { tmpdir } from 'node:os';
import type { DomainError } from '../domain/decider.js';
import { defined } from '../domain/defined.js';
import { namingFullDisk } from '../service/fullDisks.js';
import { quietLog } from '../service/log.js';
import { release } from '../service/release.js';
import { type BackupSettings, readBackupSettings, readPlace } from '../service/settings/backupSettings.js';
import type { Env } from '../service/settings/environment.js';
import { dataFolderOf, readDataSettings } from '../service/settings/settings.js';
import { backup } from '../upkeep/backup/backup.js';
import { restore } from '../upkeep/backup/restore.js';
import type { Upkeep } from './command.js';

const filesOf = ({ files }: BackupSettings): readonly string[] => ('folder' in files ? [files.folder] : []);

/** Time after which a pending call of an engine, such as an unanswered DNS query, no longer delays the process's end, in ms. */
const LINGER_MS = 500;

/**
 * `untilStopped`: a signal that cancels the running command, with a reason that describes its outcome. `endProcess`: ends the process at
 * once, with an error.
 */
export const createUpkeep = (
  env: Env,
  untilStopped: (then: string) => AbortSignal,
  endProcess: (error: DomainError) => void,
): Upkeep => ({
  async backup(place, options, report) {
    const input = {
      settings: readBackupSettings(env),
      place: readPlace(env, place),
      ...options,
      version: release.version,
      now: Date.now(),
    };
    const run = { report, signal: untilStopped('The incomplete backup was removed.') };
    const target = 'folder' in input.place ? [input.place.folder] : [];
    return namingFullDisk([...target, input.settings.data], () => backup(input, run));
  },
  async restore(place, { forgotten }, report) {
    const input = { settings: readBackupSettings(env), place: readPlace(env, place), ...defined({ forgotten }) };
    const run = { report, signal: untilStopped('The data folder is empty again.') };
    return namingFullDisk([input.settings.data, ...filesOf(input.settings)], () => restore(input, run));
  },
  async verify(report) {
    const { verify } = await import('../upkeep/verify/verify.js');
    return verify(readDataSettings(env), quietLog(), { report, signal: untilStopped('Nothing was changed.') });
  },
  async audit(requested, report) {
    const { auditLog } = await import('../upkeep/audit/auditLog.js');
    return auditLog(env, requested, { report, signal: untilStopped('Nothing was changed.') });
  },
  async tryProjection(requested, report) {
    const { overLog } = await import('../upkeep/projections/storedHistory.js');
    const { tryProjection } = await import('../upkeep/projections/tryProjection.js');
    const run = { report, signal: untilStopped('Nothing was changed.') };
    return overLog(env, (log) => tryProjection(log, requested, run));
  },
  async query(requested, from, take, report) {
    const { queryInstallation } = await import('../upkeep/analysis/installationRuns.js');
    return queryInstallation(env, { ...requested, endProcess }, from, take, {
      report,
      signal: untilStopped('Nothing was changed.'),
    });
  },
  async exportEvents(requested, report) {
    const { exportInstallation } = await import('../upkeep/analysis/installationRuns.js');
    const then = 'The parts in the manifest are complete. Run the same command again to continue.';
    const run = { report, signal: untilStopped(then) };
    return namingFullDisk([requested.folder, dataFolderOf(env), tmpdir()], () =>
      exportInstallation(env, requested, run),
    );
  },
  async tailEvents(requested, take) {
    const { tailEvents } = await import('../upkeep/streams/tail.js');
    return tailEvents(env, requested, take, untilStopped('Stopped following.'));
  },
  async diffProjection(name, report) {
    const { diffStored } = await import('../upkeep/projections/storedHistory.js');
    return diffStored(env, name, { report, signal: untilStopped('Nothing was changed.') });
  },
  async doctor() {
    const { diagnosed } = await import('../upkeep/doctor/doctor.js');
    const diagnosis = await diagnosed({ env, ...release });
    setTimeout(() => process.exit(), LINGER_MS).unref();
    return diagnosis;
  },
});
