import { createPartnerStore as create, newStoreProblems } from '../../../application/access/partnerStores.js';
import { refuse } from '../../../domain/decider.js';
import { stores } from '../../../projections/stores.js';
import { Json, operation } from '../../contract/operation.js';
import { StoreBody, StoreInputBody } from './schemas.js';

/** In the place of fields that a rule does not read. */
const SOUND = { country: 'SO', timezone: 'UTC', externalRef: 'store' };

const rules = (['country', 'timezone', 'externalRef'] as const).map((field) => ({
  fields: [field],
  problems: (body: Parameters<typeof newStoreProblems>[0]) =>
    newStoreProblems({ ...SOUND, [field]: body[field] }, 'body.'),
}));

/** Specification 2, 'Partner API', rule 1: the reference that exists already answers its store, unchanged, with 200. */
export const createPartnerStore = operation({
  id: 'createPartnerStore',
  route: 'POST {P}/stores',
  summary: "Creates a store on the partner's default plan, or returns the one that has the externalRef.",
  tag: 'Partner API',
  scope: 'partner.stores:manage',
  feature: 'workspace.core',
  body: StoreInputBody,
  rules,
  answers: { 201: StoreBody, 200: StoreBody },
  idempotent: true,
  async handle({ body, partner, commands, read, services }) {
    const problems = newStoreProblems(body, 'body.');
    if (problems.length > 0) refuse('validation_failed', 'The store is not valid.', problems);
    const { workspaceId, created } = await create(commands, {
      ...body,
      country: body.country.toUpperCase(),
      planKey: partner.planKey,
      partnerId: partner.partnerId,
    });
    const store = await read.get(stores, workspaceId);
    // A request for the new store may have been answered 'unknown' a moment ago.
    if (created) services.directory.forget();
    return { status: created ? 201 : 200, body: new Json(store!.json) };
  },
});
