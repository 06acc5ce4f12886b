import type { Operation } from '../../contract/operation.js';
import { deleteFile } from './deleteFile.js';
import { getFile } from './getFile.js';
import { uploadFile } from './uploadFile.js';

export const fileOperations: readonly Operation[] = [uploadFile, getFile, deleteFile];
