import type { Operation } from '../../contract/operation.js';
import { createTemplate } from './createTemplate.js';
import { deleteTemplate } from './deleteTemplate.js';
import { editTemplate } from './editTemplate.js';
import { getTemplate } from './getTemplate.js';
import { listTemplates } from './listTemplates.js';
import { previewTemplate } from './previewTemplate.js';
import { syncTemplates } from './syncTemplates.js';

export const templateOperations: readonly Operation[] = [
  listTemplates,
  createTemplate,
  getTemplate,
  editTemplate,
  deleteTemplate,
  previewTemplate,
  syncTemplates,
];
