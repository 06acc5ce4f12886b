import { catalog } from '../../../domain/catalog/catalog.js';
import { fieldRules } from '../../../domain/catalog/productContent.js';
import { upsertProducts, upsertResults } from '../../../domain/catalog/upsertProducts.js';
import { operation } from '../../contract/operation.js';
import { ExternalId } from '../../contract/schemas.js';
import { ProductFields, UpsertResultBody } from './schemas.js';

/** (Specification 1, 'Endpoints', 'Products', rules 1 to 4.) */
export const upsertProduct = operation({
  id: 'upsertProduct',
  route: 'PUT {C}/products/{externalId}',
  summary: 'Creates or changes one product; the same product again changes nothing.',
  tag: 'Products',
  scope: 'commerce:manage',
  feature: 'commerce.catalog',
  params: { externalId: ExternalId },
  body: ProductFields,
  rules: fieldRules,
  answers: { 201: UpsertResultBody, 200: UpsertResultBody },
  problems: ['plan_limit_reached', 'retailer_id_taken'],
  idempotent: true,
  async handle({ params: { externalId }, body, workspace, commands }) {
    const command = [{ externalId, fields: body, at: 'body', idAt: 'path.externalId' }];
    const limits = { maxProducts: workspace.features.limit('commerce.products.max') };
    const { events } = await commands.decide(catalog, workspace.workspaceId, upsertProducts(command, limits));
    const [result] = upsertResults(command, events);
    return { status: result === 'created' ? 201 : 200, body: { externalId, result } };
  },
});
