import type { Operation } from '../../contract/operation.js';
import { getRecording } from './getRecording.js';
import { listRecordings } from './listRecordings.js';

export const recordingOperations: readonly Operation[] = [listRecordings, getRecording];
