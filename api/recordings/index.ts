import type { Operation } from '../operation.js';
import { getRecording } from './getRecording.js';
import { listRecordings } from './listRecordings.js';

export const recordingOperations: readonly Operation[] = [listRecordings, getRecording];
