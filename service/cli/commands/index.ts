import { adminCommands } from '../../admin/adminCommands.js';
import { type CliCommand, typedCommand } from '../command.js';
import { auditCommands } from './audit.js';
import { backupCommands } from './backup.js';
import { doctorCommands } from './doctor.js';
import { moveCommands } from './move.js';
import { projectionCommands } from './projections.js';
import { settleCommands } from './settle.js';
import { webhookCommands } from './webhooks.js';

/** Every command that works on the data, in the order of the help. */
export const cliCommands: readonly CliCommand[] = [
  ...adminCommands.map(typedCommand),
  ...auditCommands,
  ...projectionCommands,
  ...settleCommands,
  ...doctorCommands,
  ...backupCommands,
  ...moveCommands,
  ...webhookCommands,
];
