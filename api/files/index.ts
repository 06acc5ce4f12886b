import type { Operation } from '../operation.js';
import { getFile } from './getFile.js';
import { uploadFile } from './uploadFile.js';

export const fileOperations: readonly Operation[] = [uploadFile, getFile];
