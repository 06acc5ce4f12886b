import { refuse } from '../../../domain/decider.js';
import { partners } from '../../../projections/partners.js';
import { plans } from '../../../projections/plans.js';
import { operation } from '../../contract/operation.js';
import { PartnerProfileBody } from './schemas.js';

/** Specification 2, 'Partner API'. A suspended partner may still read this, and sees that it is. */
export const getPartnerProfile = operation({
  id: 'getPartnerProfile',
  route: 'GET {P}',
  summary: "Reads the partner's profile: its status, its default plan and the plan's features.",
  tag: 'Partner API',
  scope: 'partner.account:view',
  feature: 'workspace.core',
  answers: { 200: PartnerProfileBody },
  async handle({ partner, read }) {
    const found = (await read.get(partners, partner.partnerId))?.body;
    if (found === undefined) return refuse('not_found', 'There is no such partner.');
    const { id, name, slug, status, planKey } = found;
    const plan = (await read.get(plans, planKey))?.body;
    const defaultPlan = { key: planKey, name: plan?.name ?? '' };
    return { status: 200, body: { id, name, slug, status, defaultPlan, features: plan?.features ?? [] } };
  },
});
