import { catalog } from '../../../domain/catalog/catalog.js';
import { deleteProduct as decide } from '../../../domain/catalog/upsertProducts.js';
import { operation } from '../../contract/operation.js';
import { ExternalId } from '../../contract/schemas.js';

/** (Specification 1, 'Endpoints', 'Products', rule 3: its items leave the channel catalog within a minute.) */
export const deleteProduct = operation({
  id: 'deleteProduct',
  route: 'DELETE {C}/products/{externalId}',
  summary: 'Removes a product; its items leave the channel catalog within a minute.',
  tag: 'Products',
  scope: 'commerce:manage',
  feature: 'commerce.catalog',
  params: { externalId: ExternalId },
  answers: { 204: null },
  problems: ['not_found'],
  async handle({ params, workspace, commands }) {
    await commands.decide(catalog, workspace.workspaceId, decide(params.externalId));
    return { status: 204 };
  },
});
