/** `suuq admin forget` for one of a store's people. */
import { isUnsealed, type Staff, staffOf, staffSubjects } from '../../application/privacy/staff.js';
import { refuse } from '../../domain/decider.js';
import type { AdminWork } from './context.js';
import { searchedStores } from './dataSubjects.js';

/** `memberId`: of the one store. */
export interface StaffQuery {
  readonly workspaceId?: string | undefined;
  readonly by: { readonly memberId: string } | { readonly email: string };
}

/** The data subject in each of the searched stores. Refuses `not_found`. */
export async function findStaff(work: AdminWork, { workspaceId, by }: StaffQuery): Promise<Staff[]> {
  const parts = { reads: work.reads, commands: work.commands() };
  const found: Staff[] = [];
  for await (const id of searchedStores(work, workspaceId)) {
    const staff = await staffOf(parts, id, by);
    if (staff !== undefined) found.push(staff);
  }
  if (found.length > 0) return found;
  if ('memberId' in by) return refuse('not_found', `The store has no member ${by.memberId}.`);
  return refuse('not_found', `No store searched has a member or an owner with the e-mail ${by.email}.`);
}

/**
 * Answers whose keys were destroyed, and in which stores. Refuses `not_found`, `member_not_disabled` of who still works there, and
 * `stands_in_clear`; then nothing has changed.
 */
export async function forgetStaff(work: AdminWork, requested: StaffQuery) {
  const { people, forgetting } = work;
  if (people === undefined || forgetting === undefined)
    return refuse('not_found', 'Personal data is not sealed in this installation, so nobody can be erased.');
  await forgetting.resume();
  const all = await findStaff(work, requested);
  for (const one of all) {
    const { workspaceId, member } = one;
    if (member !== undefined && member.status !== 'disabled')
      refuse(
        'member_not_disabled',
        `${member.id} is still an active member of the store ${workspaceId}. Disable them first: npx suuq admin members disable --workspace ${workspaceId} --id ${member.id}`,
      );
    if (await isUnsealed(people, one))
      refuse(
        'stands_in_clear',
        `Their data in the store ${workspaceId} was stored in clear text (before sealing, or under SUUQ_SEAL=off), so it cannot be erased by destroying a key. Stop the service and seal the log: npx suuq move --to-folder DIR`,
      );
  }
  const subjects = await staffSubjects(people, { reads: work.reads, commands: work.commands() }, all);
  if (subjects.length === 0) refuse('not_found', 'They were already erased. Erased subjects cannot be found.');
  await forgetting.forgetStaff(subjects, work.commands);
  return {
    persons: [...new Set(subjects.flatMap(({ persons }) => persons))],
    stores: subjects.map(({ workspaceId }) => workspaceId),
    files: 0,
    names: forgetting.staffNames,
  };
}
