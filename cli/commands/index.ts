import { adminCommands } from '../../service/admin/adminCommands.js';
import { type CliCommand, typedCommand } from '../command.js';
import { analysisCommands } from './analysis.js';
import { apiCommands } from './api.js';
import { auditCommands } from './audit.js';
import { backupCommands } from './backup.js';
import { doctorCommands } from './doctor.js';
import { eventCommands } from './events.js';
import { listenCommands } from './listen.js';
import { profileCommands } from './login.js';
import { moveCommands } from './move.js';
import { openCommands } from './open.js';
import { projectionCommands } from './projections.js';
import { seedCommands } from './seed.js';
import { settleCommands } from './settle.js';
import { triggerCommands } from './trigger.js';
import { webhookCommands } from './webhooks.js';

/** Every command that works on the data, in the order of the help. */
export const cliCommands: readonly CliCommand[] = [
  ...adminCommands.map(typedCommand),
  ...auditCommands,
  ...projectionCommands,
  ...analysisCommands,
  ...eventCommands,
  ...settleCommands,
  ...doctorCommands,
  ...backupCommands,
  ...moveCommands,
  ...listenCommands,
  ...triggerCommands,
  ...seedCommands,
  ...webhookCommands,
  ...apiCommands,
  ...openCommands,
  ...profileCommands,
];
