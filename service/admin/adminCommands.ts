import { refuse } from '../../domain/decider.js';
import { auditCommands } from './audit.js';
import { consoleCommands } from './console.js';
import { type AdminCaller, type AdminContext, runAdmin } from './context.js';
import { conversationCommands } from './conversations.js';
import { type AdminCommand, checkedInput } from './declaration.js';
import { fileCommands } from './files.js';
import { forgetCommands } from './forgetCommands.js';
import { historyCommands } from './history.js';
import { keyCommands } from './keys.js';
import { listenerCommands } from './listeners.js';
import { lostKeyCommands } from './lostKeys.js';
import { memberCommands } from './members.js';
import { numberCommands } from './numbers.js';
import { partnerCommands } from './partners.js';
import { planCommands } from './plans.js';
import { privacyCommands } from './privacy.js';
import { recordingCommands } from './recordings.js';
import { requestCommands } from './requests.js';
import { retentionCommands } from './retention.js';
import { secretCommands } from './secrets.js';
import { seedTargetCommands } from './seedTargets.js';
import { statusCommands } from './status.js';
import { storeCommands } from './stores.js';
import { teamCommands } from './teams.js';
import { upkeepCommands } from './upkeepCommands.js';
import { webhookCommands } from './webhooks.js';

/** Commands of an operator, in the order of the help, for both transports: the command line's own process, and the service's socket. */
export const adminCommands: readonly AdminCommand[] = [
  ...planCommands,
  ...partnerCommands,
  ...storeCommands,
  ...memberCommands,
  ...teamCommands,
  ...conversationCommands,
  ...recordingCommands,
  ...fileCommands,
  ...keyCommands,
  ...numberCommands,
  ...secretCommands,
  ...statusCommands,
  ...upkeepCommands,
  ...historyCommands,
  ...forgetCommands,
  ...lostKeyCommands,
  ...retentionCommands,
  ...privacyCommands,
  ...auditCommands,
  ...webhookCommands,
  ...requestCommands,
  ...consoleCommands,
];

/** Sent over the socket by the command line itself; hidden from people. */
const internalCommands: readonly AdminCommand[] = [...listenerCommands, ...seedTargetCommands];

const byName: ReadonlyMap<string, AdminCommand> = new Map(
  [...adminCommands, ...internalCommands].map((each) => [each.name, each]),
);

/**
 * Runs a command by name. Refuses `unknown_command` and `validation_failed`; other refusals are the command's own.
 */
export async function executeAdmin(
  context: AdminContext,
  name: string,
  input: unknown,
  caller?: AdminCaller,
): Promise<object> {
  const command = byName.get(name) ?? refuse('unknown_command', `Unknown command ${name}.`);
  const checked = checkedInput(command, input) as never;
  if (!command.changes) return command.run(context, checked);
  return runAdmin(context, (work) => command.run(work, checked), caller);
}
