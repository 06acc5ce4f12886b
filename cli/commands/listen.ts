/** `suuq listen`: webhooks on a developer's machine, in one step. */
import { randomBytes } from 'node:crypto';
import { DomainError } from '../../domain/decider.js';
import { messageOf } from '../../engine/messageOf.js';
import { UsageError } from '../../service/admin/declaration.js';
import { FILE, type Screen, styled } from '../../service/admin/layout.js';
import { type CliCommand, type CliHost, directCommand, type Terminal, type Typed } from '../command.js';
import { apiTarget, PROFILE_OPTION } from '../remote/apiTarget.js';
import { chosenProfile } from '../remote/profiles.js';
import { untilStopped } from '../untilStopped.js';
import type { EndpointRequest, ListenedEndpoint } from '../webhooks/listenedEndpoint.js';
import type { Heard, Listener } from '../webhooks/listener.js';
import { parseEvents, parsePort, parsePublicUrl, parseTarget, TYPES } from '../webhooks/listenOptions.js';

/** The address is valid for 30 s at a time. After a restart, the service must know it before its second attempt, which is after 4 s. */
const RENEW_MS = 2_000;
/** Longest wait for the endpoint's end, in ms. */
const REMOVE_MS = 5_000;

/** Foreign text must not control the terminal. */
const word = (value: unknown): string => String(value).replace(/[\p{Cc}\p{Cf}]/gu, ' ');

const isTaken = (status: number): boolean => status >= 200 && status <= 299;

function line({ at, answered, took, reason, attempt = 1, again, event }: Heard, screen: Screen): string {
  const { type, id } = (event ?? {}) as { type?: unknown; id?: unknown };
  const what = event === undefined ? 'refused' : `${word(type).padEnd(22)} ${word(id)}`;
  const notes = [
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(again ? ['repeated'] : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  const ms = took === undefined ? '' : `${took} ms`;
  const status = styled(isTaken(answered) ? 'green' : 'red', String(answered), screen);
  return `${at.slice(11, 19)}  ${status}  ${ms.padStart(7)}  ${what}${notes.length === 0 ? '' : `  (${notes.join(', ')})`}\n`;
}

/** The endpoint is there no more, whatever is done: somebody has deleted it. */
const isGone = (error: unknown): boolean => error instanceof DomainError && error.code === 'not_found';

/** Renews the listener regularly. A failure is reported once, and retried. Rejects when the endpoint is gone. */
function renewing(endpoint: ListenedEndpoint, terminal: Terminal): { readonly gone: Promise<never>; stop(): void } {
  let isAway = false;
  let underWay = false;
  let lost: (error: unknown) => void = () => {};
  const gone = new Promise<never>((_, reject) => {
    lost = reject;
  });
  const timer = setInterval(async () => {
    if (underWay) return;
    underWay = true;
    try {
      await endpoint.renew?.();
      if (isAway) terminal.note('The service is reachable again.\n');
      isAway = false;
    } catch (error) {
      if (isGone(error)) lost(error);
      else if (!isAway) terminal.note(`${messageOf(error)} Trying again.\n`);
      isAway = true;
    }
    underWay = false;
  }, RENEW_MS);
  return { gone, stop: () => clearInterval(timer) };
}

async function removed(endpoint: ListenedEndpoint, terminal: Terminal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The service does not answer.')), REMOVE_MS);
  });
  try {
    await Promise.race([endpoint.remove(), late]);
    return true;
  } catch (error) {
    terminal.note(
      `The endpoint ${endpoint.id} could not be removed: ${messageOf(error)} The next 'suuq listen' removes it.\n`,
    );
    return false;
  } finally {
    clearTimeout(timer);
  }
}

interface Listened {
  readonly received: number;
  /** Number of deliveries that were answered as failed. */
  readonly failed: number;
  /** True if the endpoint is gone. */
  readonly removed: boolean;
}

async function endpointFor(
  typed: Typed,
  { env = {}, inService }: CliHost,
  requested: EndpointRequest,
  isPublic: boolean,
) {
  const { endpointElsewhere, endpointHere } = await import('../webhooks/listenedEndpoint.js');
  if (isPublic) return endpointElsewhere(apiTarget(env, typed.one('profile')), requested);
  if (inService === undefined) throw new UsageError('there is no service to listen to');
  return endpointHere(inService, requested);
}

async function listen(typed: Typed, host: CliHost, terminal: Terminal): Promise<Listened> {
  const asJson = typed.one('json') !== undefined;
  const [partner, store] = [typed.one('partner'), typed.one('store')];
  if (partner !== undefined && store !== undefined) throw new UsageError('give --partner or --store, not both');
  const events = typed.all('events').length === 0 ? TYPES : parseEvents(typed.all('events'));
  const target = parseTarget(typed);
  const [port, publicUrl] = [parsePort(typed), parsePublicUrl(typed)];
  if (publicUrl === undefined && chosenProfile(host.env ?? {}, typed.one('profile')) !== undefined)
    throw new UsageError('--url is missing: the https address at which that service reaches --port of this machine');
  const { screen = FILE } = host;
  const counts = { received: 0, failed: 0 };
  const stopped = untilStopped();
  let known: (secret: string) => void = () => {};
  const secret = new Promise<string>((resolve) => {
    known = resolve;
  });
  // Their modules are loaded for this command alone.
  const [{ startListener }, { forwardingTo }] = await Promise.all([
    import('../webhooks/listener.js'),
    import('../webhooks/forwarding.js'),
  ]);
  const listener: Listener = await startListener({
    host: '127.0.0.1',
    port,
    failRate: 0,
    secret,
    path: `/${randomBytes(18).toString('base64url')}`,
    ...(target !== undefined && { forward: forwardingTo(target) }),
    heard(one) {
      counts.received += 1;
      if (!isTaken(one.answered)) counts.failed += 1;
      terminal.out(asJson ? `${JSON.stringify(one)}\n` : line(one, screen));
      if (!asJson && typed.one('bodies') !== undefined && one.event !== undefined)
        terminal.out(`${JSON.stringify(one.event, undefined, 2)}\n`);
    },
  });
  try {
    const { pathname } = new URL(listener.url);
    const url = publicUrl === undefined ? listener.url : publicUrl + pathname;
    const requested = { url, events, ...(partner && { partner }), ...(store && { store }) };
    const endpoint = await endpointFor(typed, host, requested, publicUrl !== undefined);
    known(endpoint.secret);
    const renewal = renewing(endpoint, terminal);
    if (asJson)
      terminal.out(
        `${JSON.stringify({ listening: url, endpoint: endpoint.id, secret: endpoint.secret, forwardTo: target?.href })}\n`,
      );
    else terminal.out(greeting(endpoint, target));
    await Promise.race([stopped, renewal.gone]).finally(renewal.stop);
    return { ...counts, removed: await removed(endpoint, terminal) };
  } finally {
    await listener.close();
  }
}

const greeting = ({ removed: left, secret }: ListenedEndpoint, target: URL | undefined): string =>
  [
    ...(left > 0 ? [`Removed endpoints of an earlier listener: ${left}.`] : []),
    target === undefined ? 'Listening.' : `Listening, and forwarding to ${target.href}`,
    `Signing secret: ${secret} (valid for this run)`,
    "To trigger an event, run 'suuq trigger order.paid' in another terminal. Stop with Ctrl-C.\n",
  ].join('\n');

export const listenCommands: readonly CliCommand[] = [
  directCommand<Listened>({
    words: ['listen'],
    about: 'Receive webhooks on this machine, and forward them to a program.',
    options: {
      'forward-to': { value: 'URL', about: 'Target, such as http://127.0.0.1:8080/hooks. Default: answer 204.' },
      events: {
        value: 'TYPE,…',
        about: 'Event types, such as order.*. Repeatable. Default: all.',
        many: true,
      },
      store: { value: 'ID', about: 'Only this store.' },
      partner: { value: 'ID', about: 'Stores of this partner. Default: the only partner.' },
      bodies: { about: 'Also print each event in full.' },
      port: { value: 'PORT', about: 'Port on 127.0.0.1. Default: any free port.' },
      url: { value: 'URL', about: "Public address of --port for a remote service, such as a tunnel's." },
      ...PROFILE_OPTION,
    },
    direct: listen,
    text: ({ received, failed }) => `${received} received, ${failed} of them failed.`,
  }),
];
