/** Which service a command that uses the API means, and by which key. */
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { readDemoFile } from '../../service/folder/demoFile.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import type { Env } from '../../service/settings/environment.js';
import { dataFolderOf } from '../../service/settings/settings.js';
import type { CliOption } from '../command.js';
import { chosenProfile, DEFAULT_PROFILE, readProfiles } from './profiles.js';

export interface ApiTarget {
  /** Name of the profile; absent: the service of the data folder, with its demo's key. */
  readonly profile?: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly workspaceId?: string;
  readonly sandboxUrl?: string;
}

/** Option of all such commands. */
export const PROFILE_OPTION = {
  profile: { value: 'NAME', about: 'Profile of a remote service (suuq login). Default: SUUQ_PROFILE.' },
} as const satisfies Readonly<Record<string, CliOption>>;

/**
 * Resolved from `--profile` or SUUQ_PROFILE; else the service of the data folder, if it has a demo; else the profile `default`. Refuses
 * `no_profile` if there is none of them.
 */
export function apiTarget(env: Env, profile: string | undefined): ApiTarget {
  const chosen = chosenProfile(env, profile);
  if (chosen !== undefined) return ofProfile(chosen.name, chosen.profile);
  const folder = dataFolderOf(env);
  const card = readServiceCard(folder);
  const demo = readDemoFile(folder);
  if (card?.baseUrl !== undefined && demo !== undefined) {
    const { sandboxUrl } = card;
    const { secretKey: key } = demo.partner;
    return { baseUrl: card.baseUrl, key, workspaceId: demo.store.workspaceId, ...defined({ sandboxUrl }) };
  }
  const usual = readProfiles(env)[DEFAULT_PROFILE];
  if (usual !== undefined) return ofProfile(DEFAULT_PROFILE, usual);
  return refuse(
    'no_profile',
    card?.baseUrl === undefined
      ? `No service runs on ${folder}, and there is no profile. Start a service ('suuq start'), or log in to a remote one ('suuq login --url URL').`
      : `The service on ${folder} has no demo key. Run 'suuq login --url ${card.baseUrl}' with your own key.`,
  );
}

const ofProfile = (
  name: string,
  { url, key, workspaceId }: { url: string; key: string; workspaceId?: string },
): ApiTarget => ({ profile: name, baseUrl: url, key, ...defined({ workspaceId }) });
