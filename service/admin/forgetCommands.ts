/** `suuq admin forget`: destroys the key of a customer or of one of a store's people, and rebuilds all views of the erased data. */
import { searchedAt } from '../../application/phones.js';
import type { PersonKeys } from '../../application/ports/personKeys.js';
import { changedHands, namesOf } from '../../application/privacy/person.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { refuse } from '../../domain/decider.js';
import type { AdminWork } from './context.js';
import { searchedStores } from './dataSubjects.js';
import { type AdminCommand, adminCommand, type Execute, type Terminal } from './declaration.js';
import { text } from './options.js';
import { followRebuild } from './rebuild.js';
import { forgetStaff } from './staffErasure.js';
import { facts } from './text.js';

/** A store's record of a data subject to be erased. */
interface Known {
  readonly workspaceId: string;
  readonly persons: readonly string[];
}

interface Forgotten {
  /** Random ids, as in the log. */
  readonly persons: readonly string[];
  /** Workspace ids of the stores that knew them. */
  readonly stores: readonly string[];
  /** Files of theirs that were deleted. */
  readonly files: number;
  /** Read models that are rebuilt. */
  readonly names: readonly string[];
}

/**
 * Everybody in the store who is or was known by a number of this customer. Of a number that they had before and that has changed
 * hands, nobody: it may have been somebody else's first.
 */
async function personsOf(work: AdminWork, people: PersonKeys, workspaceId: string, phone: string) {
  const { phones, userIds } = await namesOf(work.commands(), workspaceId, phone);
  const own = new Set(formsOf(phone));
  const persons = new Set<string>();
  for (const value of [...phones, ...userIds]) {
    const isFormer = value.startsWith('+') && !own.has(value);
    if (isFormer && (await changedHands(work.eventLog, { workspaceId, phone: value })).length > 0) continue;
    for (const one of await people.everyone(workspaceId, value)) persons.add(one);
  }
  return [...persons];
}

/** Persons of whom the channel delivered something for a number of no store. */
async function unattributed(people: PersonKeys, phone: string): Promise<string[]> {
  const persons = await Promise.all(formsOf(phone).map((form) => people.everyone('', form)));
  return [...new Set(persons.flat())];
}

/** `others`: whether somebody else is known by the number. Refuses `not_found`. `resumed`: what was interrupted before has just been ended. */
async function knownBy(
  work: AdminWork,
  people: PersonKeys,
  phone: string,
  workspaceId: string | undefined,
  { resumed, others }: { readonly resumed: boolean; readonly others: boolean },
): Promise<Known[]> {
  const known: Known[] = [];
  for await (const id of searchedStores(work, workspaceId)) {
    const persons = await personsOf(work, people, id, phone);
    if (persons.length > 0) known.push({ workspaceId: id, persons });
  }
  if (known.length > 0 || others) return known;
  const ended = resumed ? ' An erasure that was interrupted earlier is now complete.' : '';
  return refuse(
    'not_found',
    `No data subject with the number ${phone}.${ended} Erased subjects cannot be found. Data that was stored without keys (before sealing, or under SUUQ_SEAL=off) cannot be erased.`,
  );
}

async function forget(work: AdminWork, typed: string, workspaceId: string | undefined): Promise<Forgotten> {
  const { people, forgetting } = work;
  if (people === undefined || forgetting === undefined)
    return refuse('not_found', 'Personal data is not sealed in this installation, so nobody can be erased.');
  const phone = await searchedAt('phone', typed, async () => true);
  // An interrupted erasure is finished with this one; its subjects cannot be found any more.
  const resumed = await forgetting.resume();
  const ofNoStore = workspaceId === undefined ? await unattributed(people, phone) : [];
  const also = { resumed: resumed > 0, others: ofNoStore.length > 0 };
  const known = await knownBy(work, people, phone, workspaceId?.toLowerCase(), also);
  const subjects = known.map((one) => ({ ...one, value: phone }));
  const unknown = ofNoStore.length === 0 ? [] : [{ persons: ofNoStore, about: {} }];
  const files = await forgetting.forget([...subjects, ...unknown], work.commands);
  const persons = [...known.flatMap((one) => one.persons), ...ofNoStore];
  return { persons, stores: known.map((one) => one.workspaceId), files, names: forgetting.names };
}

async function follow(started: object, execute: Execute, terminal: Terminal): Promise<Forgotten> {
  const forgotten = started as Forgotten;
  await followRebuild(forgotten, execute, terminal);
  return forgotten;
}

export const forgetCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'forget',
    about: 'Erase a customer or a member permanently by destroying their key.',
    options: {
      phone: text({ value: 'NUMBER', about: "The customer's number with country code, such as +252611234567." }),
      member: text({ value: 'MEMBER', about: 'Id of a disabled member of the store --workspace.' }),
      email: text({ value: 'E', about: 'E-mail address of such a member, or of the owner a store was created for.' }),
      workspace: text({ value: 'ID', about: 'Only in this store. Default: all stores.' }),
    },
    check({ phone, member, email, workspace }, fields) {
      const given = [phone, member, email].filter((one) => one !== undefined).length;
      if (given !== 1) fields.problem('phone', 'or member or email is required, and only one of them');
      if (member !== undefined && workspace === undefined) fields.problem('workspace', 'is required with member');
    },
    /** Refuses `validation_failed`, `not_found`; of a store's people `member_not_disabled`, `stands_in_clear`. */
    run(work, { phone, member, email, workspace }): Promise<Forgotten> {
      if (phone !== undefined) return forget(work, phone, workspace);
      const by = member === undefined ? { email: email! } : { memberId: member.toLowerCase() };
      return forgetStaff(work, { workspaceId: workspace?.toLowerCase(), by });
    },
    follow: follow as never,
    text: ({ persons, stores: of, files, names }: Forgotten) =>
      facts({
        forgotten: persons.length === 1 ? '1 person' : `${persons.length} people`,
        stores: of.join(', '),
        'files deleted': files,
        'read models rebuilt': names.length,
      }),
  }),
];
