import type { Files } from '../../../application/files/files.js';
import { refuse } from '../../../domain/decider.js';
import type { Services } from '../../contract/services.js';

/** Returns the file store. Refuses `unavailable` where there is none. */
export const filesOf = ({ files }: Pick<Services, 'files'>): Files =>
  files ?? refuse('unavailable', 'This service has no file store.');
