/** `suuq sandbox`: one simulation of channel and catalog provider, for instances that run without their own. */

import { systemClock } from '../../engine/ports/clock.js';
import type { Log } from '../../engine/ports/log.js';
import { logOpenness } from '../../infrastructure/files/privateFolder.js';
import { startSandbox } from '../../infrastructure/sandbox/sandbox.js';
import { openViews } from '../engines/engines.js';
import { takeDataFolder } from '../folder/dataFolder.js';
import { createLog, logUnknownSettings } from '../log.js';
import { serviceOutput } from '../logOutput.js';
import type { Env } from '../settings/environment.js';
import type { SandboxSettings } from '../settings/sandboxSettings.js';
import { exitWithOpenResources, Undo, untilSignal } from '../shutdown.js';
import { sandboxNumbers } from './sandboxNumbers.js';

/** Starts it, or leaves nothing behind. Rejects when its port or its folder is taken. */
async function startSandboxAlone(settings: SandboxSettings, log: Log) {
  const undo = new Undo();
  try {
    const folder = takeDataFolder(settings.data);
    undo.guard('data folder', () => folder.release());
    logOpenness(folder, log);
    const views = settings.mongoUrl === undefined ? undefined : await openViews({ url: settings.mongoUrl });
    undo.add('views', () => views?.close());
    const sandbox = await startSandbox({
      host: settings.host,
      allowedHosts: settings.allowedHosts,
      port: settings.port,
      stateFile: folder.file('sandbox.jsonl'),
      webhookUrl: () => settings.webhookUrl,
      appSecret: settings.appSecret,
      verifyToken: settings.verifyToken,
      accessToken: settings.token,
      clock: systemClock,
      log,
      ...(views === undefined ? {} : { numbers: sandboxNumbers(views) }),
    });
    undo.add('sandbox', () => sandbox.close());
    return { baseUrl: sandbox.baseUrl, stop: () => undo.run(log) };
  } catch (error) {
    await undo.run(log);
    throw error;
  }
}

/** Runs until SIGTERM or SIGINT. */
export async function serveSandbox(settings: SandboxSettings, env: Env): Promise<number> {
  const output = serviceOutput();
  const log = createLog(settings.log, { to: output });
  logUnknownSettings(env, log);
  const sandbox = await startSandboxAlone(settings, log);
  const stopped = untilSignal();
  output.write(`The sandbox, where you act as a customer, is at ${sandbox.baseUrl}.\n`);
  await stopped;
  await sandbox.stop();
  exitWithOpenResources(0, log);
  return 0;
}
