import { seatsOf } from '../../../application/access/members.js';
import { updatePartnerMember } from '../../../domain/access/memberChanges.js';
import { members, partnersMember, teamsOf } from '../../../domain/access/members.js';
import { isClosedStore } from '../../../domain/stores/store.js';
import { operation } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import { ExternalRef } from '../../contract/schemas.js';
import { findStore } from './findStore.js';
import { PartnerMemberBody, PartnerUserId, UpdatePartnerMemberInputBody } from './partnerMemberSchemas.js';

/** (Specification 2, 'Partner API', rule 2.) */
export const updatePartnerStoreMember = operation({
  id: 'updatePartnerStoreMember',
  route: 'PUT {P}/stores/{externalRef}/members/{partnerUserId}',
  summary: 'Sets the role and the teams of a user who has signed in to the store. A store keeps at least one owner.',
  tag: 'Partner API',
  scope: 'partner.stores:manage',
  feature: 'workspace.core',
  changesAccess: true,
  params: { externalRef: ExternalRef, partnerUserId: PartnerUserId },
  body: UpdatePartnerMemberInputBody,
  answers: { 200: PartnerMemberBody },
  problems: ['not_found', 'store_closed', 'no_free_seat', 'last_owner', 'team_full', 'team_needs_member'],
  async handle({ params: { externalRef, partnerUserId }, body, partner, commands, read }) {
    const { id: workspaceId, body: store } = await findStore(read, partner, externalRef);
    if (isClosedStore(store)) throw new Refusal('store_closed', `The store is ${store.status}, so it is read-only.`);
    const seats = await seatsOf(read, workspaceId);
    await commands.decide(members, workspaceId, updatePartnerMember({ partnerUserId, ...body }, seats));
    return commands.query(members, workspaceId, (people) => {
      const { id: memberId, role, status } = partnersMember(people, partnerUserId)!;
      const teamIds = teamsOf(people, memberId);
      return { status: 200, body: { partnerUserId, workspaceId, externalRef, memberId, role, status, teamIds } };
    });
  },
});
