import { disablePartnerMember } from '../../../domain/access/memberChanges.js';
import { members } from '../../../domain/access/members.js';
import { operation } from '../../contract/operation.js';
import { ExternalRef } from '../../contract/schemas.js';
import { findStore } from './findStore.js';
import { PartnerUserId } from './partnerMemberSchemas.js';

/** Works in a closed store too, so that access ends at once. (Specification 2, 'Partner API', rule 3.) */
export const disablePartnerStoreMember = operation({
  id: 'disablePartnerStoreMember',
  route: 'DELETE {P}/stores/{externalRef}/members/{partnerUserId}',
  summary: 'Keeps a user out of the store until a later user token lists the store again.',
  tag: 'Partner API',
  scope: 'partner.stores:manage',
  feature: 'workspace.core',
  changesAccess: true,
  params: { externalRef: ExternalRef, partnerUserId: PartnerUserId },
  answers: { 204: null },
  problems: ['not_found', 'last_owner'],
  async handle({ params: { externalRef, partnerUserId }, partner, commands, read }) {
    const { id: workspaceId } = await findStore(read, partner, externalRef);
    await commands.decide(members, workspaceId, disablePartnerMember(partnerUserId));
    return { status: 204 };
  },
});
