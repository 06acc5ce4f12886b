/** `suuq trigger`: triggers a webhook event by a real change, which remains in the store. */
import { refuse } from '../../domain/decider.js';
import { UsageError } from '../../service/admin/declaration.js';
import { facts, type Shown, table } from '../../service/admin/text.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import { dataFolderOf } from '../../service/settings/settings.js';
import { suggestionsFor } from '../../service/suggestions.js';
import { type CliCommand, type CliHost, directCommand, type Execute, type Typed } from '../command.js';
import { type ApiTarget, apiTarget, PROFILE_OPTION } from '../remote/apiTarget.js';
import type { Scene } from '../trigger/scene.js';
import type { Trigger } from '../trigger/triggers.js';

interface Happened {
  readonly type: string;
}
interface Listed {
  readonly events: readonly { readonly type: string; readonly set: Readonly<Record<string, string>> }[];
}

const suggestionText = (near: readonly string[]): string =>
  near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;

/** `NAME=VALUE` each. Throws UsageError. */
function setTyped(type: string, { set }: Trigger, typed: Typed): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of typed.all('set')) {
    const [, name, value = ''] = /^([\w-]+)=(.+)$/s.exec(pair) ?? [];
    if (name === undefined) throw new UsageError(`--set ${pair} is not of the form NAME=VALUE`);
    const known = Object.keys(set);
    if (!known.includes(name))
      throw new UsageError(
        `${type} has no parameter ${name}${suggestionText(suggestionsFor(name, known)) || (known.length === 0 ? '' : `, but ${known.join(', ')}`)}`,
      );
    values.set(name, value);
  }
  const phone = values.get('phone');
  if (phone !== undefined && !/^\d{8,15}$/.test(phone))
    throw new UsageError(`--set phone=${phone}: it must be 8 to 15 digits, with the country code, without '+'`);
  return values;
}

/** Address of the sandbox, where customers can be simulated: on this machine only. */
function sandboxOf(at: ApiTarget, { env = {} }: CliHost): string {
  const folder = dataFolderOf(env);
  const card = readServiceCard(folder);
  if (card?.baseUrl !== at.baseUrl)
    return refuse(
      'no_sandbox',
      `Customers can only be simulated in the sandbox of a local service. The service on ${folder} is ${card?.baseUrl === undefined ? 'not running' : `at ${card.baseUrl}`}, not at ${at.baseUrl}.`,
    );
  return (
    card.sandboxUrl ??
    refuse(
      'no_sandbox',
      'The service has no sandbox (SUUQ_SANDBOX is off), so events can only come from real customers.',
    )
  );
}

function storeOf(at: ApiTarget, typed: Typed): string {
  const store = typed.one('store') ?? at.workspaceId;
  if (store === undefined) throw new UsageError('--store is missing: the profile has no store');
  // The change remains in the store, so it must not happen by mistake in one with real customers.
  if (!at.key.includes('_test_'))
    return refuse('live_key', 'Triggering events requires a test mode key (psk_test_…, sk_test_…).');
  return store;
}

/** The channel's id of the store's number. */
async function numberOf(execute: Execute, workspaceId: string): Promise<string> {
  const { numbers } = (await execute('numbers.list', {})) as {
    readonly numbers: readonly { readonly workspaceId: string; readonly phoneNumberId: string }[];
  };
  const found = numbers.find((one) => one.workspaceId === workspaceId);
  return (
    found?.phoneNumberId ??
    refuse(
      'number_not_connected',
      `The store has no number. Run 'suuq admin numbers connect --workspace ${workspaceId}' to connect one.`,
    )
  );
}

async function happened(typed: Typed, host: CliHost): Promise<Happened | Listed> {
  const { TRIGGERS } = await import('../trigger/triggers.js');
  const type = typed.argument(0);
  if (type === undefined) return { events: Object.entries(TRIGGERS).map(([name, { set }]) => ({ type: name, set })) };
  const trigger = Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type as keyof typeof TRIGGERS] : undefined;
  if (trigger === undefined)
    throw new UsageError(
      `there is no event type '${type}'${suggestionText(suggestionsFor(type, Object.keys(TRIGGERS))) || ". Run 'suuq trigger' to list them"}`,
    );
  const set = setTyped(type, trigger, typed);
  const { inService } = host;
  if (inService === undefined) throw new UsageError('there is no local service to trigger it in');
  const at = apiTarget(host.env ?? {}, typed.one('profile'));
  const workspaceId = storeOf(at, typed);
  const sandboxUrl = sandboxOf(at, host);
  const phoneNumberId = await numberOf(inService, workspaceId);
  const [{ withClient }, { customerAt, newPhone }] = await Promise.all([
    import('../remote/apiCalls.js'),
    import('../trigger/scene.js'),
  ]);
  const customer = customerAt(sandboxUrl, phoneNumberId, set.get('phone') ?? newPhone(trigger.ending));
  const result = await withClient(at, (client) => {
    const isPartner = at.key.startsWith('psk_');
    const scene: Scene = { client, isPartner, workspaceId, customer, set: (name) => set.get(name) };
    return trigger.run(scene);
  });
  return { type, ...result };
}

const listedText = ({ events }: Listed): Shown =>
  table(
    ['EVENT', '--set'],
    events.map(({ type, set }) => [type, Object.keys(set).join(', ')]),
    '',
  );

export const triggerCommands: readonly CliCommand[] = [
  directCommand<Happened | Listed>({
    words: ['trigger'],
    about: 'Trigger a webhook event in the sandbox. Without a name: list them.',
    arguments: [
      {
        name: 'EVENT',
        optional: true,
        values: async () => Object.keys((await import('../trigger/triggers.js')).TRIGGERS),
      },
    ],
    options: {
      set: {
        value: 'NAME=VALUE',
        about: 'Value, such as amount=4500, as the list shows. Repeatable.',
        many: true,
      },
      store: { value: 'ID', about: "The store's workspace id. Default: that of the demo or the profile." },
      ...PROFILE_OPTION,
    },
    direct: happened,
    text: (result) => ('events' in result ? listedText(result) : facts({ ...result })),
  }),
];
