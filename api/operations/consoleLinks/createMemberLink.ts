import type { Role } from '../../../domain/access/memberEvents.js';
import { ROLES } from '../../../domain/access/members.js';
import { refuse } from '../../../domain/decider.js';
import { members } from '../../../projections/members.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { answerWithLink } from './createConsoleLink.js';
import { ConsoleLinkOutputBody, CreateConsoleLinkInputBody, DEFAULT_MINUTES } from './schemas.js';

const MAKERS: readonly Role[] = ['owner', 'admin', 'supervisor'];

/** Returns true if a member with this role may sign in one with the other: an owner everybody, others those below them. */
const maySignIn = (maker: Role, other: Role): boolean =>
  maker === 'owner' || (MAKERS.includes(maker) && ROLES.indexOf(maker) < ROLES.indexOf(other));

/** A member signs in as itself: events name it, and its role and teams apply. */
export const createMemberLink = operation({
  id: 'createMemberLink',
  route: 'POST {W}/members/{memberId}/console-links',
  summary:
    'Creates a link with which one member signs in to the console, with its own role and teams. It works once, within ten minutes.',
  tag: 'Console',
  scope: 'members:view',
  feature: 'workspace.core',
  addition: 'An addition to the specification: members sign in to the console as themselves.',
  params: { memberId: Uuid },
  body: CreateConsoleLinkInputBody,
  bodyOptional: true,
  answers: { 201: ConsoleLinkOutputBody },
  problems: ['not_found', 'permission_denied', 'member_disabled'],
  idempotent: true,
  async handle(request) {
    const { body, params, workspace, read, principal, member: maker } = request;
    const { workspaceId } = workspace;
    const found = await read.get(members, `${workspaceId}/${params.memberId}`);
    const member = found?.body ?? refuse('not_found', 'The store has no such member.');
    if (maker === undefined && !principal.scopes.has('console:open'))
      refuse('permission_denied', 'A key needs the scope console:open for this.');
    if (maker !== undefined && (maker.memberId === member.id || !maySignIn(maker.role, member.role)))
      refuse(
        'permission_denied',
        'You create links for members whose role is below yours. An owner does it for others.',
      );
    if (member.status === 'disabled') refuse('member_disabled', 'The member is disabled in this store.');
    const terms = { role: 'member', workspaceId, memberId: member.id } as const;
    return answerWithLink(request, terms, body.minutes ?? DEFAULT_MINUTES);
  },
});
