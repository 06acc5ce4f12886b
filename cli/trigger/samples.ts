/** Products of this command's own, in a category of their own, by which they are found among any number. */
import type { Scene } from './scene.js';

const CATEGORY = { externalId: 'suuq-trigger', name: 'Samples of suuq trigger' };

interface Sample {
  /** Such as `[reject]`, by which the sandbox refuses it. */
  readonly note?: string;
  readonly priceCents: number;
}

/** Answers its externalId. */
export async function putSample({ client, workspaceId }: Scene, externalId: string, { note = '', priceCents }: Sample) {
  await client.upsertProductCategories({ workspaceId, body: { categories: [CATEGORY] } });
  const body = {
    name: `Sample of suuq trigger ${note}`.trim(),
    imageUrls: ['https://images.example.com/sample.jpg'],
    priceCents,
    categoryExternalId: CATEGORY.externalId,
  };
  await client.upsertProduct({ workspaceId, externalId, body });
  return externalId;
}

export async function readSample({ client, workspaceId }: Scene, externalId: string) {
  const { products } = await client.listProducts({ workspaceId, category: CATEGORY.externalId });
  return products.find((one) => one.externalId === externalId);
}
