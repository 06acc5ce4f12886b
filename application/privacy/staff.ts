/** A current or former staff member of one store: its member, its owner, or both. */
import { type Member, members, memberWithEmail, type People } from '../../domain/access/members.js';
import { defined } from '../../domain/defined.js';
import { store } from '../../domain/stores/store.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { Named } from '../../engine/sealing/leaves.js';
import { members as memberViews } from '../../projections/members.js';
import { stores } from '../../projections/stores.js';
import type { PersonKeys } from '../ports/personKeys.js';
import type { StaffSubject } from './forgetting.js';
import { memberName, ownerName, userName } from './staffNames.js';

export interface StaffParts {
  readonly reads: Reads;
  readonly commands: Pick<BoundCommands, 'query'>;
}

export interface Staff {
  readonly workspaceId: string;
  /** Absent: the owner, who is not a member. */
  readonly member?: Member;
  /** Owner of the store with the same e-mail. */
  readonly owner?: { readonly email: string; readonly name: string };
}

/** Returns a staff member by member id or e-mail. Undefined: the store has nobody with it. */
export async function staffOf(
  { reads, commands }: StaffParts,
  workspaceId: string,
  by: { readonly memberId: string } | { readonly email: string },
): Promise<Staff | undefined> {
  const member = await commands.query(members, workspaceId, (people) =>
    'memberId' in by ? people.members.get(by.memberId) : memberWithEmail(people, by.email),
  );
  const email = 'email' in by ? by.email : member?.email;
  const found = (await reads.get(stores, workspaceId))?.body.owner;
  const owner = found?.email.toLowerCase() === email?.toLowerCase() ? found : undefined;
  return member === undefined && owner === undefined ? undefined : { workspaceId, ...defined({ member, owner }) };
}

const membersStream = (workspaceId: string): string => streamName(members.name, workspaceId);
const ownersStream = (workspaceId: string): string => streamName(store.name, workspaceId);

/** Returns true if personal data of them is unsealed: written before sealing was introduced, or under `SUUQ_SEAL=off`. */
export async function isUnsealed(
  people: Pick<PersonKeys, 'isUnsealed'>,
  { workspaceId, member, owner }: Staff,
): Promise<boolean> {
  const isAbout = ({ data }: { readonly data: object }) => (data as { memberId?: unknown }).memberId === member?.id;
  return (
    (member !== undefined && (await people.isUnsealed(membersStream(workspaceId), isAbout))) ||
    (owner !== undefined && (await people.isUnsealed(ownersStream(workspaceId), () => true)))
  );
}

/** Returns a `sub` as it appears in a stored response, which is JSON within JSON. Unquoted, a short one would match other text. */
const quoted = (sub: string): string => JSON.stringify(JSON.stringify(sub)).slice(1, -1);

/**
 * Returns the keys in their stores of people who are erased together, and their sign-in identity if they are a member of no other store.
 * People without a key are left out.
 */
export async function staffSubjects(
  people: Pick<PersonKeys, 'everyone'>,
  parts: StaffParts,
  all: readonly Staff[],
): Promise<StaffSubject[]> {
  const going = new Set(all.flatMap(({ workspaceId, member }) => (member ? [`${workspaceId}/${member.id}`] : [])));
  const subjects: StaffSubject[] = [];
  for (const { workspaceId, member, owner } of all) {
    const names: Named[] = [];
    if (owner !== undefined) names.push(ownerName(ownersStream(workspaceId)));
    if (member !== undefined) {
      names.push(memberName(membersStream(workspaceId), member.id));
      if (!(await isElsewhere(parts, member.userId, going))) names.push(userName(member.userId));
    }
    const persons: string[] = [];
    for (const { space, name } of names) persons.push(...(await people.everyone(space, name)));
    const subs = [...(member?.subjects ?? []), member?.partnerUserId].filter((sub) => sub !== undefined);
    const values = [member?.id, member?.userId, member?.email, owner?.email, ...subs.map(quoted)];
    if (persons.length > 0)
      subjects.push({ workspaceId, persons, values: values.filter((value) => value !== undefined) });
  }
  return subjects;
}

/**
 * Returns true if the user is a member of another store. Checks the members themselves, since read models that are being rebuilt may still
 * show an erased person.
 */
async function isElsewhere(
  { reads, commands }: StaffParts,
  userId: string,
  going: ReadonlySet<string>,
): Promise<boolean> {
  for await (const { id, keys, body } of eachRow(reads, memberViews, { where: { userId } })) {
    const isTheirs = ({ members: all }: People): boolean => all.get(body.id)?.userId === userId;
    if (!going.has(id) && (await commands.query(members, String(keys.workspaceId), isTheirs))) return true;
  }
  return false;
}
