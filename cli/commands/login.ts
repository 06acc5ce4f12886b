/** Profiles: services elsewhere, for the commands that use the API. */
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { UsageError } from '../../service/admin/declaration.js';
import { listText, type Shown, table } from '../../service/admin/text.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import type { Env } from '../../service/settings/environment.js';
import { dataFolderOf } from '../../service/settings/settings.js';
import { type CliCommand, directCommand, type Typed } from '../command.js';
import { KEY_OPTIONS } from '../remote/keyInput.js';
import {
  DEFAULT_PROFILE,
  type Profile,
  profileName,
  profilesFile,
  readProfiles,
  writeProfiles,
} from '../remote/profiles.js';

const nameTyped = (typed: Typed, env: Env): string =>
  profileName(typed.one('profile') ?? (env.SUUQ_PROFILE || DEFAULT_PROFILE));

const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Without a path. A key goes in the clear to this machine alone. Throws UsageError. */
function urlTyped(typed: Typed, env: Env): string {
  const text = typed.one('url') ?? readServiceCard(dataFolderOf(env))?.baseUrl;
  if (text === undefined) throw new UsageError('--url is missing: no service runs on the data folder');
  if (!URL.canParse(text)) throw new UsageError(`--url ${text} is not a URL such as https://api.example.com`);
  const { protocol, hostname, origin, username, pathname } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL.test(hostname)))
    throw new UsageError('--url must begin with https://. http is only allowed on this machine');
  if (username !== '') throw new UsageError('--url must not carry a user name or password');
  return origin + pathname.replace(/\/+$|\/api\/v1\/?$/, '');
}

interface LoggedIn {
  readonly profile: string;
  readonly url: string;
  readonly owner: 'partner' | 'store';
  readonly mode: string;
  readonly last4: string;
  readonly partner?: { readonly id: string; readonly name: string };
  readonly workspaceId?: string;
  readonly file: string;
}

/** Owner of the key; refuses as the service does if the key is invalid. */
async function known(profile: string, { url, key }: Profile): Promise<Pick<LoggedIn, 'partner' | 'workspaceId'>> {
  const { apiCalls: calling, withClient } = await import('../remote/apiCalls.js');
  const at = { profile, baseUrl: url, key };
  try {
    const spec = { method: 'GET', path: '/api/v1/partner', repeatable: true } as const;
    const { id, name } = (await calling(at)(spec)).body as { id: string; name: string };
    const { stores } = await withClient(at, (client) => client.listPartnerApiStores({ limit: 2 }));
    const [first, second] = stores;
    return {
      partner: { id, name },
      ...defined({ workspaceId: second === undefined ? first?.workspaceId : undefined }),
    };
  } catch (error) {
    // It is known, but not allowed to look: a store's key, or one without that scope.
    if ((error as { code?: string }).code === 'permission_denied') return {};
    throw error;
  }
}

const login = directCommand<LoggedIn>({
  words: ['login'],
  about: "Store a service's address and key as a profile, once checked.",
  options: {
    profile: { value: 'NAME', about: `Name. Default: SUUQ_PROFILE, or ${DEFAULT_PROFILE}.` },
    url: { value: 'URL', about: 'Address, such as https://api.example.com. Default: the local service.' },
    store: { value: 'ID', about: 'Default workspace id of the profile.' },
    ...KEY_OPTIONS,
  },
  async direct(typed, { env = {} }) {
    const profile = nameTyped(typed, env);
    const url = urlTyped(typed, env);
    const { readKey: keyTyped } = await import('../remote/keyInput.js');
    const key = await keyTyped(typed, env);
    const { partner, workspaceId } = await known(profile, { url, key });
    const store = typed.one('store') ?? workspaceId;
    writeProfiles(env, { ...readProfiles(env), [profile]: { url, key, ...defined({ workspaceId: store }) } });
    return {
      profile,
      url,
      owner: key.startsWith('psk_') ? 'partner' : 'store',
      mode: key.includes('_live_') ? 'live' : 'test',
      last4: key.slice(-4),
      ...defined({ partner, workspaceId: store }),
      file: profilesFile(env),
    };
  },
  text: ({ profile, url, owner, mode, last4, partner, workspaceId, file }) => [
    {
      lead: '',
      note: `Profile ${profile}: ${url}, with a ${mode} key of a ${owner}${partner === undefined ? '' : ` (${partner.name})`} that ends in ${last4}.`,
    },
    ...(workspaceId === undefined
      ? owner === 'store'
        ? [
            {
              lead: '',
              note: "Set a default store with 'suuq login --store ID', so that commands do not need to name it.",
            },
          ]
        : []
      : [{ lead: '', note: `The default store is ${workspaceId}.` }]),
    {
      lead: '',
      note: `The profile is stored in ${file}, which only you can read. The key stays valid until it is revoked.`,
    },
  ],
});

const logout = directCommand<{ profile: string; removed: true }>({
  words: ['logout'],
  about: 'Delete a profile and its key.',
  options: { profile: { value: 'NAME', about: `Profile. Default: SUUQ_PROFILE, or ${DEFAULT_PROFILE}.` } },
  async direct(typed, { env = {} }) {
    const profile = nameTyped(typed, env);
    const { [profile]: gone, ...rest } = readProfiles(env);
    if (gone === undefined)
      return refuse('no_profile', `There is no profile '${profile}'. Run 'suuq profiles' to list them.`);
    writeProfiles(env, rest);
    return { profile, removed: true };
  },
  text: ({ profile }) => `Profile ${profile} deleted. Its key still works: run 'suuq admin keys revoke' to revoke it.`,
});

interface Row {
  readonly profile: string;
  readonly url: string;
  readonly key: string;
  readonly workspaceId?: string;
}

const profiles = directCommand<{ profiles: readonly Row[] }>({
  words: ['profiles'],
  about: 'List the profiles. Keys are not shown.',
  list: 'profiles',
  async direct(_typed, { env = {} }) {
    const rows = Object.entries(readProfiles(env)).map(([profile, { url, key, workspaceId }]) => ({
      profile,
      url,
      key: `${key.slice(0, key.lastIndexOf('_', 9) + 1)}…${key.slice(-4)}`,
      ...defined({ workspaceId }),
    }));
    return { profiles: rows };
  },
  text: ({ profiles: rows }): Shown =>
    listText(
      table(
        ['PROFILE', 'URL', 'KEY', 'STORE'],
        rows.map(({ profile, url, key, workspaceId }) => [profile, url, key, workspaceId]),
        "There are no profiles. Run 'suuq login' to create one.",
      ),
      false,
    ),
});

export const profileCommands: readonly CliCommand[] = [login, logout, profiles];
