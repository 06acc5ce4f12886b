import { hostname } from 'node:os';
import type { Settings } from '../settings/settings.js';

/** Name of this process in logs, leases and status; what host and process are called together, when the operator says nothing. */
export const instanceName = ({ instance }: Pick<Settings, 'instance'>): string =>
  instance ?? `${hostname()}-${process.pid}`.replace(/[^A-Za-z0-9._-]/g, '-');
