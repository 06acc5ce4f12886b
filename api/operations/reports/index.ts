import type { Operation } from '../../contract/operation.js';
import { getStoreReport } from './getStoreReport.js';

export const reportOperations: readonly Operation[] = [getStoreReport];
