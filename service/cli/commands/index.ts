import type { CliCommand } from '../command.js';
import { conversationCommands } from './conversations.js';
import { keyCommands } from './keys.js';
import { memberCommands } from './members.js';
import { moveCommands } from './move.js';
import { numberCommands } from './numbers.js';
import { partnerCommands } from './partners.js';
import { planCommands } from './plans.js';
import { recordingCommands } from './recordings.js';
import { storeCommands } from './stores.js';
import { teamCommands } from './teams.js';
import { upkeepCommands } from './upkeep.js';
import { webhookCommands } from './webhooks.js';

/** Every command that works on the data, in the order of the help. */
export const cliCommands: readonly CliCommand[] = [
  ...planCommands,
  ...partnerCommands,
  ...storeCommands,
  ...memberCommands,
  ...teamCommands,
  ...conversationCommands,
  ...recordingCommands,
  ...keyCommands,
  ...numberCommands,
  ...upkeepCommands,
  ...moveCommands,
  ...webhookCommands,
];
