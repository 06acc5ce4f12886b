import { refuse } from '../../domain/decider.js';
import { type AdminContext, type AdminWork, runAdmin } from './context.js';
import {
  assignToMember,
  closeConversation,
  listConversations,
  openConversation,
  pin,
  routeToTeam,
  snoozeConversation,
  unpin,
} from './conversations.js';
import { createKey, listKeys, revokeKey } from './keys.js';
import { addMember, disableMember, enableMember, listMembers, setMemberRole } from './members.js';
import { connectNumber, listNumbers } from './numbers.js';
import { createPartner, listPartners, partnerAppearance, reinstatePartner, suspendPartner } from './partners.js';
import { listPlans, putPlan } from './plans.js';
import { listRecordings, putRecording, removeRecording, renameRecording, saveRecording } from './recordings.js';
import { processorsStatus, skipProcessorEvent, skipProjectionEvent } from './skipping.js';
import { createStore, listStores, reinstateStore, suspendStore } from './stores.js';
import { listTeams, putTeam, removeTeam } from './teams.js';
import { orderHistory, projectionsStatus, rebuildProjections } from './upkeep.js';
import { replayWebhooks } from './webhooks.js';

type AdminCommand = (work: AdminWork, input: unknown) => Promise<object>;

/** What an operator can do, whoever carries the command: the command line in its own process, or the service's socket. */
export const adminCommands = {
  'plans.put': putPlan,
  'plans.list': listPlans,
  'partners.create': createPartner,
  'partners.list': listPartners,
  'partners.suspend': suspendPartner,
  'partners.reinstate': reinstatePartner,
  'partners.appearance': partnerAppearance,
  'stores.create': createStore,
  'stores.list': listStores,
  'stores.suspend': suspendStore,
  'stores.reinstate': reinstateStore,
  'members.add': addMember,
  'members.list': listMembers,
  'members.disable': disableMember,
  'members.enable': enableMember,
  'members.role': setMemberRole,
  'teams.put': putTeam,
  'teams.list': listTeams,
  'teams.remove': removeTeam,
  'recordings.put': putRecording,
  'recordings.list': listRecordings,
  'recordings.rename': renameRecording,
  'recordings.remove': removeRecording,
  'recordings.save': saveRecording,
  'conversations.list': listConversations,
  'conversations.assign': assignToMember,
  'conversations.route': routeToTeam,
  'conversations.close': closeConversation,
  'conversations.snooze': snoozeConversation,
  'conversations.open': openConversation,
  'conversations.pin': pin,
  'conversations.unpin': unpin,
  'keys.create': createKey,
  'keys.list': listKeys,
  'keys.revoke': revokeKey,
  'numbers.connect': connectNumber,
  'numbers.list': listNumbers,
  'webhooks.replay': replayWebhooks,
  'projections.status': projectionsStatus,
  'projections.rebuild': rebuildProjections,
  'projections.skip': skipProjectionEvent,
  'processors.status': processorsStatus,
  'processors.skip': skipProcessorEvent,
  'history.order': orderHistory,
} as const satisfies Readonly<Record<string, AdminCommand>>;

export type AdminCommandName = keyof typeof adminCommands;

const isKnown = (name: string): name is AdminCommandName => Object.hasOwn(adminCommands, name);

/** Runs a command by name. Refuses `unknown_command`; other refusals are the command's own. */
export async function executeAdmin(context: AdminContext, name: string, input: unknown): Promise<object> {
  if (!isKnown(name)) refuse('unknown_command', `There is no command ${name}.`);
  const run: AdminCommand = adminCommands[name];
  return runAdmin(context, (work) => run(work, input));
}
