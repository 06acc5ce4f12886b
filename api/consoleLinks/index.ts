import type { Operation } from '../operation.js';
import { createConsoleLink } from './createConsoleLink.js';

export const consoleLinkOperations: readonly Operation[] = [createConsoleLink];
