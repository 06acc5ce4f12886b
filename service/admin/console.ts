/** Links into the console: each opens it once. */
import { enterUrl, makeLink } from '../../application/console/access.js';
import { existingMember, members } from '../../domain/access/members.js';
import { refuse } from '../../domain/decider.js';
import { type AdminReads, type AdminWork, aboutStore, requireStore } from './context.js';
import { type AdminCommand, adminCommand, type Option } from './declaration.js';
import { id, oneOf, workspace } from './options.js';

/** Longest session of a store's people, in ms. */
const LONGEST_MS = 24 * 3_600_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

function consoleUrlOf({ consoleUrl }: AdminReads): string {
  return (
    consoleUrl ??
    refuse(
      'not_running',
      'No service with a console runs on this data folder. Start one with the role api and try again.',
    )
  );
}

interface Made {
  readonly url: string;
  readonly expiresAt: string;
}

const linkText = ({ url, expiresAt }: Made): string => `${url}\n\nIt works once, until ${expiresAt}.`;

/** Such as `30m` or `8h`, in ms. */
const duration: Option<number> = {
  value: 'TIME',
  about: 'Session length, such as 30m or 8h; at most 24h. Default: 1h.',
  check(fields, name) {
    const typed = fields.optionalText(name) ?? '1h';
    const [, count, unit = ''] = /^(\d{1,4})([mh])$/.exec(typed) ?? [];
    const ms = Number(count) * (UNITS[unit] ?? 0);
    if (!(ms > 0 && ms <= LONGEST_MS)) fields.problem(name, 'must be a duration such as 30m or 8h, at most 24h', typed);
    return ms;
  },
};

/** A link for an operator, or for an auditor whose reading is recorded. */
async function operatorLink(work: AdminWork, role: 'operator' | 'auditor'): Promise<Made & { role: string }> {
  const url = consoleUrlOf(work);
  const { token, until } = await makeLink(work.commands(), { role }, { now: Date.now() });
  return { url: enterUrl(url, token), expiresAt: new Date(until).toISOString(), role };
}

const storeLink = adminCommand({
  name: 'console.storeLink',
  words: ['console', 'link'],
  about: 'Create a console link for the people of one store.',
  options: { workspace, for: duration },
  async run(work, { workspace: workspaceId, for: lastsMs }) {
    const url = consoleUrlOf(work);
    await requireStore(work, workspaceId);
    const terms = { role: 'store', workspaceId } as const;
    const { token, until } = await makeLink(work.commands({ workspaceId }), terms, { now: Date.now(), lastsMs });
    return { url: enterUrl(url, token), expiresAt: new Date(until).toISOString(), workspaceId };
  },
  text: linkText,
});

const memberLink = adminCommand({
  name: 'members.link',
  about: 'Create a console link with which one member of a store signs in.',
  options: { workspace, id: id("The member's id."), for: duration },
  secrets: ['url'],
  async run(work, { workspace: workspaceId, id: memberId, for: lastsMs }) {
    const url = consoleUrlOf(work);
    const about = await aboutStore(work, workspaceId);
    await work.commands(about).query(members, workspaceId, (people) => {
      if (existingMember(people, memberId).status === 'disabled')
        refuse('member_disabled', 'The member is disabled in this store.');
    });
    const terms = { role: 'member', workspaceId, memberId } as const;
    const { token, until } = await makeLink(work.commands(about), terms, { now: Date.now(), lastsMs });
    return { url: enterUrl(url, token), expiresAt: new Date(until).toISOString(), workspaceId, memberId };
  },
  text: linkText,
});

const link = adminCommand({
  name: 'console.link',
  words: ['console'],
  about: 'Create a console link for an operator or an auditor.',
  options: {
    role: oneOf({ value: 'operator|auditor', about: 'Role. Default: operator.' }, ['operator', 'auditor'], 'operator'),
  },
  run: (work, { role }) => operatorLink(work, role),
  text: linkText,
});

/** The longer words first: the command line takes the first that fit. */
export const consoleCommands: readonly AdminCommand[] = [storeLink, memberLink, link];
