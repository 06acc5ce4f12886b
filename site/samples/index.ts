/** Samples of an operation in each language, from its example in the OpenAPI document. */
import type { OperationModel } from '../document.js';
import { curlSample } from './curl.js';
import { goSample } from './go.js';
import { phpSample } from './php.js';
import { pythonSample } from './python.js';
import { sampleRequest } from './request.js';
import { typescriptSample } from './typescript.js';

/** As tabs show them, in their order; `id` is also what highlights them. */
export const LANGUAGES = [
  { id: 'bash', name: 'curl', write: curlSample },
  { id: 'typescript', name: 'TypeScript', write: typescriptSample },
  { id: 'python', name: 'Python', write: pythonSample },
  { id: 'go', name: 'Go', write: goSample },
  { id: 'php', name: 'PHP', write: phpSample },
] as const;

export type Language = (typeof LANGUAGES)[number]['id'];

export interface Sample {
  readonly language: Language;
  readonly name: string;
  readonly code: string;
}

export function samplesOf(model: OperationModel): Sample[] {
  const request = sampleRequest(model);
  return LANGUAGES.map(({ id, name, write }) => ({ language: id, name, code: write(request) }));
}
