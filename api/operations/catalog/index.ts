import type { Operation } from '../../contract/operation.js';
import { deleteProduct } from './deleteProduct.js';
import { listProductCategories } from './listProductCategories.js';
import { listProducts } from './listProducts.js';
import { upsertProduct } from './upsertProduct.js';
import { upsertProductCategories } from './upsertProductCategories.js';
import { upsertProducts } from './upsertProducts.js';

export const catalogOperations: Operation[] = [
  listProductCategories,
  upsertProductCategories,
  listProducts,
  upsertProduct,
  upsertProducts,
  deleteProduct,
];
