import { randomUUID } from 'node:crypto';
import { seatsOf, userOfPartner, userWithEmail } from '../../application/access/members.js';
import {
  addMember as add,
  changeRole,
  disableMember as disable,
  enableMember as enable,
} from '../../domain/access/memberChanges.js';
import { MAX_MEMBERS, members, ROLES } from '../../domain/access/members.js';
import { members as memberList } from '../../projections/members.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';

const STATUSES = ['invited', 'active'] as const;

interface Standing {
  readonly workspaceId: string;
  readonly id: string;
  readonly role: string;
  readonly status: string;
}

/** The member as it is now. */
const standing = (work: AdminWork, workspaceId: string, memberId: string): Promise<Standing> =>
  work.commands().query(members, workspaceId, (people) => {
    const { id, role, status } = people.members.get(memberId)!;
    return { workspaceId, id, role, status };
  });

/**
 * `{workspace, email, role, name?, partnerUser? | status?}` → `{workspaceId, id, role, status}`. Invited until the first
 * sign-in, unless the status says active, or the partner's id of the user is given: as if it had signed in with it.
 */
export async function addMember(work: AdminWork, input: unknown): Promise<Standing> {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  const email = fields.text('email');
  const role = fields.oneOf('role', ROLES);
  const name = fields.optionalText('name') ?? '';
  const partnerUserId = fields.optionalText('partnerUser');
  fields.either('partnerUser', 'status', false);
  const status = fields.oneOf('status', STATUSES, partnerUserId === undefined ? 'invited' : 'active');
  fields.check();
  const seats = await seatsOf(work.reads, workspaceId);
  const about = await aboutStore(work, workspaceId);
  if (partnerUserId !== undefined && about.partnerId === undefined) {
    fields.problem('partnerUser', 'is only for stores of a partner', partnerUserId);
    fields.check();
  }
  const memberId = randomUUID();
  const userId = partnerUserId === undefined ? userWithEmail(email) : userOfPartner(about.partnerId!, partnerUserId);
  const link = partnerUserId === undefined ? {} : { partnerUserId };
  const member = { memberId, userId, email, name, role, status, ...link } as const;
  await work.commands(about).decide(members, workspaceId, add(member, seats));
  return { workspaceId, id: memberId, role, status };
}

function target(fields: Fields): { workspaceId: string; memberId: string } {
  return { workspaceId: fields.text('workspace'), memberId: fields.text('id').toLowerCase() };
}

/** `{workspace, id, role}`. Refuses `last_owner` and `no_free_seat`, as every change of a member does. */
export async function setMemberRole(work: AdminWork, input: unknown): Promise<Standing> {
  const fields = new Fields(input);
  const { workspaceId, memberId } = target(fields);
  const role = fields.oneOf('role', ROLES);
  fields.check();
  const seats = await seatsOf(work.reads, workspaceId);
  const commands = work.commands(await aboutStore(work, workspaceId));
  await commands.decide(members, workspaceId, changeRole({ memberId, role }, seats));
  return standing(work, workspaceId, memberId);
}

/** `{workspace, id}`: cannot come in from now on; gives its seat back. */
export async function disableMember(work: AdminWork, input: unknown): Promise<Standing> {
  const fields = new Fields(input);
  const { workspaceId, memberId } = target(fields);
  fields.check();
  await work.commands(await aboutStore(work, workspaceId)).decide(members, workspaceId, disable(memberId));
  return standing(work, workspaceId, memberId);
}

/** `{workspace, id}` */
export async function enableMember(work: AdminWork, input: unknown): Promise<Standing> {
  const fields = new Fields(input);
  const { workspaceId, memberId } = target(fields);
  fields.check();
  const seats = await seatsOf(work.reads, workspaceId);
  await work.commands(await aboutStore(work, workspaceId)).decide(members, workspaceId, enable(memberId, seats));
  return standing(work, workspaceId, memberId);
}

/** `{workspace}`; oldest first, as the API lists them. */
export async function listMembers({ reads }: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  fields.check();
  const sort = ['createdAt', 'added'];
  const found = await reads.find(memberList, { where: { workspaceId }, sort, limit: MAX_MEMBERS });
  return { members: found.map(({ body }) => body) };
}
