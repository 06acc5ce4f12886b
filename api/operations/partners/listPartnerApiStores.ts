import { stores } from '../../../projections/stores.js';
import { listJson, operation } from '../../contract/operation.js';
import { PageQuery } from '../../contract/schemas.js';
import { StoresBody } from './schemas.js';

/** Specification 2, 'Partner API'. */
export const listPartnerApiStores = operation({
  id: 'listPartnerApiStores',
  route: 'GET {P}/stores',
  summary: "Lists the partner's stores, newest first.",
  tag: 'Partner API',
  scope: 'partner.stores:view',
  feature: 'workspace.core',
  query: PageQuery,
  answers: { 200: StoresBody },
  async handle({ partner, read }) {
    const page = await read.page(stores, { where: { partnerId: partner.partnerId }, sort: ['-createdAt'] });
    return { status: 200, body: listJson('stores', page) };
  },
});
