/** Team, member and status of a conversation. */

import { type Decision, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { MERGED } from './conversation.js';
import type { ConversationEvent, ConversationStatus, InboundContent, OutboundContent } from './conversationEvents.js';
import type { Conversation } from './conversationState.js';

type Decide = Decision<Conversation, ConversationEvent>;
type RoutedBy = Extract<ConversationEvent, { type: 'ConversationRouted' }>['data']['by'];

/** Option ids of the automatic menu. */
const TEAM = 'team:';
export const teamOption = (teamId: string): string => `${TEAM}${teamId}`;

export interface RoutingMenu {
  readonly messageId: string;
  readonly content: Extract<OutboundContent, { type: 'menu' }>;
}

/** The store's routing settings at the time of the customer's message. */
export interface RoutingTerms {
  /** All teams of the store. */
  readonly teamIds: readonly string[];
  /** Undefined only if there are no teams. */
  readonly defaultTeamId: string | undefined;
  /**
   * Menu in the contact's language, with option ids made by `teamOption`. Used if there is more than one team. Undefined: the store
   * currently sends nothing automatically.
   */
  readonly menu: RoutingMenu | undefined;
  /** Time at which the default team gets the chat, RFC 3339. */
  readonly deadline: string;
}

const routed = (state: Conversation, teamId: string | undefined, by: RoutedBy): ConversationEvent => ({
  type: 'ConversationRouted',
  data: {
    ...defined({ teamId, before: state.teamId }),
    by,
  },
});

/** Carts and forms go to the default team, without the menu. */
const isBusiness = ({ type }: { readonly type: string }): boolean => type === 'order' || type === 'flow_reply';

const tappedTeam = (contents: readonly { readonly type: string }[]): string | undefined =>
  (contents as readonly InboundContent[])
    .flatMap((content) => (content.type === 'choice' && content.id.startsWith(TEAM) ? content.id : []))
    .at(-1)
    ?.slice(TEAM.length);

/** Returns true if these contents can be decided only with `RoutingTerms`. */
export function needsRouting(state: Conversation, contents: readonly { readonly type: string }[]): boolean {
  if (state.routing === 'none') return true;
  if (state.routing === 'awaiting_menu') return tappedTeam(contents) !== undefined;
  return state.status === 'closed' && state.teamId !== undefined;
}

/** Offers the menu only to customers who write for the first time. Chats that are older than the store's teams go to the default team. */
function firstRouting(
  state: Conversation,
  terms: RoutingTerms,
  contents: readonly { readonly type: string }[],
  queueMenu: (menu: RoutingMenu) => ConversationEvent,
): ConversationEvent[] {
  const { teamIds, defaultTeamId, menu, deadline } = terms;
  const isOld = state.routing === 'none' && state.lastCustomerMessageAt > 0;
  const isRequested = teamIds.length > 1 && !isOld && !contents.some(isBusiness);
  if (!isRequested || menu === undefined) return [routed(state, defaultTeamId, 'default')];
  const offered = menu.content.options.map(({ id }) => id.slice(TEAM.length));
  const data = { messageId: menu.messageId, teamIds: offered, deadline };
  return [{ type: 'RoutingMenuOffered', data }, queueMenu(menu)];
}

/**
 * Returns the routing events of the customer's messages: the menu at the first message, a team after a tap on the menu, and the menu for a
 * closed chat whose team was removed. Undefined terms lead to no event. (Specification 2, 'Conversation'.)
 */
export function routingOf(
  state: Conversation,
  terms: RoutingTerms | undefined,
  contents: readonly { readonly type: string }[],
  queueMenu: (menu: RoutingMenu) => ConversationEvent,
): ConversationEvent[] {
  if (terms === undefined || contents.length === 0) return [];
  if (state.routing === 'none') return firstRouting(state, terms, contents, queueMenu);
  if (state.routing === 'awaiting_menu') {
    const tapped = tappedTeam(contents);
    if (tapped === undefined || !state.menu?.teamIds.includes(tapped)) return [];
    return [routed(state, terms.teamIds.includes(tapped) ? tapped : terms.defaultTeamId, 'menu')];
  }
  const isGone = state.teamId !== undefined && !terms.teamIds.includes(state.teamId);
  return state.status === 'closed' && isGone ? firstRouting(state, terms, contents, queueMenu) : [];
}

const existing = (state: Conversation): void => {
  if (!state.started) refuse('not_found', 'There is no such conversation.');
};

export interface RouteConversation {
  /** Absent: no team, every member sees the chat. */
  readonly teamId?: string | undefined;
  readonly by: RoutedBy;
}

/** Assigns the chat to a team. A menu's tap or deadline counts only while the choice is awaited. */
export const routeConversation =
  ({ teamId, by }: RouteConversation): Decide =>
  (state) => {
    if (by === 'operator') existing(state);
    if ((by === 'menu' || by === 'deadline') && state.routing !== 'awaiting_menu') return [];
    if (state.routing === 'routed' && state.teamId === teamId) return [];
    return [routed(state, teamId, by)];
  };

/** Assigns the chat to a member, or to nobody without a member id. Refuses `not_found` before the conversation has started. */
export const assignConversation =
  ({ memberId }: { readonly memberId?: string | undefined }): Decide =>
  (state) => {
    existing(state);
    const before = state.assigneeMemberId;
    if (before === memberId) return [];
    const data = defined({ memberId, before });
    return [{ type: 'ConversationAssigned', data }];
  };

/** Longest snooze, in ms. */
export const LONGEST_SNOOZE_MS = 366 * 24 * 3_600_000;

export interface SetConversationStatus {
  readonly status: ConversationStatus;
  /** RFC 3339. Only with snoozed. */
  readonly until?: string;
  readonly reason?: string;
  /** With the reason `merged`: the conversation that continues. */
  readonly mergedInto?: string | undefined;
}

/** Opens, closes or snoozes the conversation. A merged conversation stays closed. */
export const setConversationStatus =
  ({ status, until, reason, mergedInto }: SetConversationStatus): Decide =>
  (state) => {
    existing(state);
    if ((status === 'snoozed') !== (until !== undefined))
      refuse('validation_failed', 'Only a snoozed conversation has a time to reopen, and it requires one.');
    if (state.merged) return [];
    // Closing a closed conversation still needs an event if it records the merge.
    const isMerge = status === 'closed' && reason === MERGED;
    if (state.status === status && state.snoozedUntil === until && !isMerge) return [];
    const why = { ...(reason && { reason }), ...(mergedInto && { mergedInto }) };
    const data = { status, before: state.status, ...(until && { until }), ...why };
    return [{ type: 'ConversationStatusChanged', data }];
  };

/** Ends the snooze with this end time (RFC 3339). No event if the conversation is not snoozed until then any more. */
export const endSnooze =
  (until: string): Decide =>
  (state) =>
    state.status === 'snoozed' && state.snoozedUntil === until
      ? [{ type: 'ConversationStatusChanged', data: { status: 'open', before: 'snoozed' } }]
      : [];

/**
 * Closes the conversation of a customer who is merged into another one. It stays readable and receives no more messages. `mergedInto`:
 * conversation of the other customer.
 */
export const mergeAway =
  (mergedInto?: string): Decide =>
  (state) =>
    state.started ? setConversationStatus({ status: 'closed', reason: MERGED, mergedInto })(state) : [];

export const pinConversation =
  ({ pinned }: { readonly pinned: boolean }): Decide =>
  (state) => {
    existing(state);
    return state.pinned === pinned ? [] : [{ type: 'ConversationPinned', data: { pinned } }];
  };

export interface ChangeConversation {
  readonly status?: Pick<SetConversationStatus, 'status' | 'until'>;
  /** Null: nobody. */
  readonly assigneeMemberId?: string | null;
  /** Null: no team, every member sees the chat. */
  readonly teamId?: string | null;
  readonly pinned?: boolean;
  readonly read?: boolean;
}

/** Changes what is given, all at once. The caller checks members and teams. Refuses `not_found` before the conversation has started. */
export const changeConversation =
  ({ status, assigneeMemberId, teamId, pinned, read }: ChangeConversation): Decide =>
  (state) => {
    existing(state);
    const decisions: Decide[] = [
      ...(status === undefined ? [] : [setConversationStatus(status)]),
      ...(assigneeMemberId === undefined ? [] : [assignConversation({ memberId: assigneeMemberId ?? undefined })]),
      ...(teamId === undefined ? [] : [routeConversation({ teamId: teamId ?? undefined, by: 'member' })]),
      ...(pinned === undefined ? [] : [pinConversation({ pinned })]),
    ];
    const events = decisions.flatMap((decide) => decide(state));
    return read === true ? [...events, { type: 'ConversationRead', data: {} }] : events;
  };

// Queries -------------------------------------------------------------------------------------------------------------
/** Undefined: no team yet. */
export const teamOf = (state: Conversation): string | undefined => state.teamId;

/** Returns true if the customer's messages belong to another conversation after a merge. */
export const isMerged = (state: Conversation): boolean => state.merged;
