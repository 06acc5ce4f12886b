import type { Operation } from '../../contract/operation.js';
import { createSDKSession } from './createSDKSession.js';
import { endSDKSession } from './endSDKSession.js';
import { refreshSDKSession } from './refreshSDKSession.js';

export const sessionOperations: readonly Operation[] = [createSDKSession, refreshSDKSession, endSDKSession];
