import { catalog } from '../../../domain/catalog/catalog.js';
import { fieldRules } from '../../../domain/catalog/productContent.js';
import { upsertProducts as decide, type UpsertProduct, upsertResults } from '../../../domain/catalog/upsertProducts.js';
import { MAX_BODY } from '../../contract/bodyLimits.js';
import { operation } from '../../contract/operation.js';
import { idsDiffer } from './rules.js';
import { BatchBody, BatchResultBody } from './schemas.js';

/** (Specification 1, 'Endpoints', 'Products', rule 5.) */
export const upsertProducts = operation({
  id: 'upsertProducts',
  route: 'POST {C}/products/batch',
  summary: 'Creates or changes up to 500 products, all or none.',
  tag: 'Products',
  scope: 'commerce:manage',
  feature: 'commerce.catalog',
  body: BatchBody,
  rules: [idsDiffer('product', 'products'), ...fieldRules.map((rule) => ({ ...rule, each: 'products' }))],
  bodyLimit: MAX_BODY,
  answers: { 200: BatchResultBody },
  problems: ['plan_limit_reached', 'retailer_id_taken'],
  idempotent: true,
  async handle({ body, workspace, commands }) {
    const batch = body.products.map((product, index): UpsertProduct => {
      const at = `body.products[${index}]`;
      return { externalId: product.externalId, fields: product, at, idAt: `${at}.externalId` };
    });
    const limits = { maxProducts: workspace.features.limit('commerce.products.max') };
    const { events } = await commands.decide(catalog, workspace.workspaceId, decide(batch, limits));
    const outcomes = upsertResults(batch, events);
    const results = batch.map(({ externalId }, index) => ({ externalId, result: outcomes[index] }));
    return { status: 200, body: { results } };
  },
});
