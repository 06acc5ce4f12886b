/** Checks that a service runs here and is ready, or that one could listen at the configured addresses. */
import { createServer } from 'node:net';
import type { Readiness } from '../../api/server/health.js';
import type { Settings } from '../../service/settings/settings.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';
import type { Running } from './runningService.js';

/** Longest wait for /readyz, in ms: it waits 2 s for each of its checks. */
const READY_MS = 4_000;

export const serviceCheck = (running: Running): Check => ({
  name: 'service',
  async run(signal) {
    const { state, card } = running;
    if (state === 'none') return [ok('no_service', 'No service runs on the data folder.')];
    if (state === 'killed')
      return [
        warning(
          'service_killed',
          `The service (process ${card?.pid}, started ${card?.startedAt}) ended without a shutdown.`,
          'Start it again: acknowledged changes are stored. For the reason, see its log or the system log.',
        ),
      ];
    if (state === 'busy' || card?.baseUrl === undefined)
      return [ok('folder_busy', `Process ${card?.pid} uses the data folder: a starting service, or another command.`)];
    return readiness(
      card.readinessUrl ?? card.baseUrl,
      `The service (process ${card.pid}, started ${card.startedAt}) at ${card.baseUrl}`,
      signal,
    );
  },
});

async function readiness(baseUrl: string, who: string, signal: AbortSignal): Promise<readonly Found[]> {
  let reported: Readiness;
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(READY_MS)]);
    reported = (await (await fetch(`${baseUrl}/readyz`, { signal: within })).json()) as Readiness;
  } catch {
    return [
      problem(
        'service_silent',
        `${who} does not answer /readyz within ${READY_MS / 1000} s.`,
        'Check its log and restart it.',
      ),
    ];
  }
  if (reported.status === 'ready') return [ok('service_ready', `${who} is ready.`)];
  const failing = reported.checks.filter((one) => !one.ok);
  if (failing.length === 0)
    return [warning('service_not_ready', `${who} is ${reported.phase}.`, 'Try again in a few seconds.')];
  return failing.map(({ name, detail = 'unavailable', percent }) => {
    const message = `${who} is not ready: ${name}: ${detail}.`;
    return percent === undefined
      ? problem('service_not_ready', message, 'Check the findings below and its log.')
      : warning('service_not_ready', message, 'Wait: it recovers by itself.');
  });
}

interface Place {
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

function placesOf({ host, port, consolePort, sandbox, endpoint }: Settings): readonly Place[] {
  const all: Place[] = [{ setting: 'PORT', host, port }];
  if (consolePort !== undefined) all.push({ setting: 'SUUQ_CONSOLE_PORT', host, port: consolePort });
  if (sandbox !== false) all.push({ setting: 'SUUQ_SANDBOX_PORT', ...sandbox });
  if (endpoint !== undefined) all.push({ setting: 'EVENTSTORE_ENDPOINT', host: endpoint.host, port: endpoint.port });
  return all.filter((one) => one.port !== 0);
}

/** Listens for a moment at an unused address: nothing else reveals all obstacles. Undefined: it can listen. */
function listening({ host, port }: Place): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'error' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port, exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}

async function portOf(place: Place): Promise<Found> {
  const { setting, host, port } = place;
  const where = `${host}:${port}`;
  const code = await listening(place);
  if (code === undefined) return ok('port_free', `${where} (${setting}) is free.`);
  if (code === 'EADDRINUSE')
    return problem(
      'port_taken',
      `${where} is used by another program.`,
      `Set ${setting} to another port, or stop that program.`,
    );
  if (code === 'EACCES')
    return problem(
      'port_forbidden',
      `This user is not allowed to listen on ${where}.`,
      `Set ${setting} to a port from 1024 on.`,
    );
  return problem(
    'no_such_address',
    `${host} is not an address of this machine (${code}).`,
    `Set ${setting === 'PORT' ? 'HOST' : setting} to an address of this machine, such as 127.0.0.1.`,
  );
}

export const portsCheck = (settings: Settings, { state, card }: Running): Check => ({
  name: 'ports',
  async run() {
    if (state === 'busy') return [ok('ports_not_tried', 'Not checked while another process uses the data folder.')];
    if (state !== 'running')
      return Promise.all(placesOf(settings).map(portOf)).then((all) => (all.length > 0 ? all : [ANY]));
    const listens = Number(new URL(card?.baseUrl ?? 'http://localhost').port || 80);
    if (settings.port === 0 || settings.port === listens)
      return [ok('ports_of_service', `The service listens on ${card?.baseUrl}.`)];
    return [
      warning(
        'other_settings',
        `PORT is ${settings.port} here, but the service on the data folder listens on ${listens}: it was started with different settings.`,
        'Run this command with the settings of the service, or restart the service.',
      ),
    ];
  },
});

const ANY = ok('port_any', 'A free port is chosen at the start.');
