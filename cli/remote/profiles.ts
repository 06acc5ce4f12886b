/** Services elsewhere that the command line knows: for each its address and a key, in a file of the user's own. */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { refuse } from '../../domain/decider.js';
import { UsageError } from '../../service/admin/declaration.js';
import { writePrivateFile } from '../../service/folder/privateFile.js';
import type { Env } from '../../service/settings/environment.js';
import { suggestionsFor } from '../../service/suggestions.js';

export interface Profile {
  /** Such as https://api.example.com, without `/api/v1`. */
  readonly url: string;
  readonly key: string;
  /** The store that is meant where none is named. */
  readonly workspaceId?: string;
}

export type Profiles = Readonly<Record<string, Profile>>;

export const DEFAULT_PROFILE = 'default';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Throws UsageError. */
export function profileName(text: string): string {
  if (NAME.test(text)) return text;
  throw new UsageError(`'${text}' is not a valid profile name: 1–64 letters, digits, '.', '_' and '-'`);
}

/** `$XDG_CONFIG_HOME/suuq/profiles.json`, below ~/.config where that is not set; on Windows below %APPDATA%. */
export function profilesFile(env: Env): string {
  const folder = process.platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  return join(folder || join(env.HOME || homedir(), '.config'), 'suuq', 'profiles.json');
}

const isProfile = (value: unknown): value is Profile =>
  typeof value === 'object' && value !== null && 'url' in value && 'key' in value;

/** None where there is no file. Refuses `profiles_unreadable`. */
export function readProfiles(env: Env): Profiles {
  const path = profilesFile(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    return refuse('profiles_unreadable', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    const { profiles } = JSON.parse(text) as { readonly profiles: Profiles };
    if (Object.values(profiles).every(isProfile)) return profiles;
  } catch {
    // The refusal follows below.
  }
  return refuse('profiles_unreadable', `${path} is damaged. Remove it and log in again.`);
}

/** Readable by the user alone. */
export function writeProfiles(env: Env, profiles: Profiles): void {
  const path = profilesFile(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  writePrivateFile(path, `${JSON.stringify({ profiles }, null, 2)}\n`);
}

/** The profile selected by `--profile` or SUUQ_PROFILE; undefined: none is selected. Refuses `no_profile`. */
export function chosenProfile(env: Env, typed: string | undefined): { name: string; profile: Profile } | undefined {
  const name = typed ?? (env.SUUQ_PROFILE || undefined);
  if (name === undefined) return undefined;
  const profiles = readProfiles(env);
  const profile = Object.hasOwn(profiles, profileName(name)) ? profiles[name] : undefined;
  if (profile !== undefined) return { name, profile };
  const near = suggestionsFor(name, Object.keys(profiles)).map((one) => `'${one}'`);
  return refuse(
    'no_profile',
    `There is no profile '${name}'${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`} Run 'suuq login --profile ${name}' to create it.`,
  );
}
