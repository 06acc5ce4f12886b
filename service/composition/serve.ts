/** `suuq start`: everything on one machine, until it is stopped. */
import type { Log } from '../../engine/ports/log.js';
import type { RunningTracing } from '../../infrastructure/telemetry/tracing.js';
import { isShared } from '../engines/engines.js';
import { createLog, logUnknownSettings } from '../log.js';
import { serviceOutput } from '../logOutput.js';
import type { Env } from '../settings/environment.js';
import { instanceName, type Settings } from '../settings/settings.js';
import { exitWithOpenResources, Undo, untilSignal } from '../shutdown.js';
import type { UnseededDemo } from './demoSeeding.js';
import { type Instance, openInstance } from './instance.js';
import { type ServiceSandbox, startServiceSandbox } from './sandbox.js';
import { openTracing } from './tracing.js';

/** A running service. */
export interface Service {
  readonly baseUrl: string;
  readonly greeting: string;
  /** The demo store of a first start, if it is to be filled. */
  readonly unseeded?: UnseededDemo;
  /** Resolves with the reason when it cannot work any more: stop it, and restart it. */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

/** Starts every part, or none: what had started is stopped again when a later part cannot. */
export async function startService(settings: Settings, log: Log, tracing?: RunningTracing): Promise<Service> {
  const undo = new Undo();
  // Last of all: what the others do at their end is written too.
  undo.add('traces', () => tracing?.close());
  try {
    return await started({ settings, log, undo, tracing });
  } catch (error) {
    await undo.run(log);
    throw error;
  }
}

/** Exit code that makes a supervisor restart the process. */
const FAILED = 1;

/** A failed start is reported by the start itself. */
const ignored = (): void => {};

interface Beginning {
  readonly settings: Settings;
  readonly log: Log;
  readonly undo: Undo;
  readonly tracing: RunningTracing | undefined;
}

/** Engines and sandbox load in threads of their own, and the service's many modules in this one, all at the same time. */
async function started({ settings, log, undo, tracing }: Beginning): Promise<Service> {
  const startedAt = Date.now();
  let starting: Promise<ServiceSandbox> | undefined;
  const opening = openInstance(settings, log, {
    tracing,
    taken(early) {
      if (!settings.sandbox) return;
      starting = startServiceSandbox(settings.sandbox, early, log);
      // Met below, when the engines are open too.
      starting.catch(ignored);
      undo.add('sandbox', () => starting?.then((sandbox) => sandbox.close(), ignored));
    },
  });
  undo.add('engines', () => opening.then((instance) => instance.close(), ignored));
  const loading = import('./service.js');
  // All are waited for, so that what has started is known when one of them fails.
  const [opened, loaded] = await Promise.allSettled([opening, loading]);
  const [ready] = await Promise.allSettled([starting]);
  for (const one of [opened, loaded, ready]) if (one.status === 'rejected') throw one.reason;
  const { composeService } = await loading;
  const ground = { settings, log, startedAt, undo, tracing, instance: await opening, sandbox: await starting };
  return { ...(await composeService(ground)), failed: failureOf(ground.instance), stop: () => undo.run(log) };
}

/** A log that nothing can be written to any more answers all commands with `unavailable`, and none will ever succeed. */
const failureOf = ({ engines: { events } }: Instance): Promise<Error> =>
  events.embedded?.failed ?? new Promise(() => {});

/** Fills the demo store behind a running service. `stop`: resolves when nothing of the filling runs any more. */
export type Seeding = (unseeded: UnseededDemo, log: Log) => { stop(): Promise<void> };

/** Runs until SIGTERM or SIGINT, or until it can do nothing more, then finishes what is in flight. A second signal ends it at once. */
export async function serve(settings: Settings, env: Env, seed?: Seeding): Promise<number> {
  const named = settings.instance !== undefined || isShared(settings);
  let tracing: RunningTracing | undefined;
  const output = serviceOutput();
  const log = createLog(settings.log, {
    to: output,
    ...(named && { instance: instanceName(settings) }),
    ...(settings.tracing && { fields: () => tracing?.logFields() ?? {} }),
  });
  logUnknownSettings(env, log);
  tracing = settings.tracing && (await openTracing(settings.tracing, instanceName(settings), log));
  if (isShared(settings) && settings.sandbox)
    log.warn(
      {},
      'the built-in sandbox serves only this instance; for several instances, run `suuq sandbox` and set SUUQ_SANDBOX=off',
    );
  const service = await startService(settings, log, tracing);
  // Before the greeting: who reads it may end the service at once.
  const stopped = untilSignal();
  output.write(service.greeting);
  const seeding = service.unseeded && seed?.(service.unseeded, log);
  const failure = await Promise.race([stopped, service.failed]);
  if (failure) log.error({ err: failure }, 'event log failed, service is stopping');
  await seeding?.stop();
  await service.stop();
  const code = failure ? FAILED : 0;
  exitWithOpenResources(code, log, tracing?.isAbandoned());
  return code;
}
