import type { Files } from '../../../application/files/files.js';
import { refuse } from '../../../domain/decider.js';
import type { Services } from '../../contract/services.js';

/** The files of the composition. Refuses `unavailable` where none are kept. */
export const filesOf = ({ files }: Pick<Services, 'files'>): Files =>
  files ?? refuse('unavailable', 'This service keeps no files.');
