/** A change that does not fit what is there. */
import { kind } from './problemKind.js';

export const conflicts = {
  command_refused: kind(
    409,
    "A command of the operator was refused in the console; `reason` is the command's own code, and the detail says why.",
    'Do what the detail says, or give the command with other values.',
  ),
  concurrent_change: kind(
    409,
    'Others changed the same thing at the same time, again and again.',
    'Send the request again after a moment.',
  ),
  retailer_id_taken: kind(
    409,
    'Another product or variant of the store has this retailer id.',
    'Choose an external id that is unique among the products and variants of the store.',
  ),
  name_taken: kind(409, 'Another one has this name.', 'Choose another name.'),
  coupon_code_taken: kind(
    409,
    'Another promotion has this coupon code; codes are compared without case.',
    'Choose another code.',
  ),
  promotion_in_use: kind(
    409,
    'A promotion uses this number list.',
    'Delete the promotion, or give it another list, first.',
  ),
  number_list_limit_reached: kind(
    409,
    'The store has 500 number lists, the most that it may have.',
    'Delete one that no promotion needs.',
  ),
  promotion_limit_reached: kind(
    409,
    'The store has 1,000 promotions, the most that it may have, past ones included.',
    'Delete those that are over; orders that used them keep their discount.',
  ),
  order_status_not_allowed: kind(
    409,
    'The order cannot move to this status from where it is.',
    "Set one of the order's nextStatuses; statuses only move forward.",
  ),
  webhook_endpoint_limit_reached: kind(
    409,
    'The workspace has 20 webhook endpoints, the most that it may have.',
    'Delete one that is not needed, or let one endpoint receive more event types.',
  ),
  webhook_endpoint_disabled: kind(
    409,
    'The webhook endpoint is disabled; nothing but a test is sent to it.',
    'Turn it on with status active, then repeat the request.',
  ),
  store_not_closable: kind(
    409,
    'The store is in a state from which it cannot be closed.',
    "Read the store's status; a cancelled store stays as it is.",
  ),
  store_not_reopenable: kind(
    409,
    'The store was not closed by the partner, so the partner cannot reopen it.',
    "Read the store's status and closedAt.",
  ),
  no_free_seat: kind(
    409,
    'The role needs a seat and the store has none free.',
    'Free a seat, or change the plan, then send the request again.',
  ),
  member_limit_reached: kind(
    409,
    'The store has 1,000 members, the most that it may have, disabled ones included.',
    'Let people sign in as members that the store has.',
  ),
  member_links_limit_reached: kind(
    409,
    'Ten users are linked to this member already.',
    'Give each person one sub that stays the same from sign-in to sign-in.',
  ),
  last_owner: kind(
    409,
    'The store would be left without an active owner.',
    'Make another member of the store an owner first.',
  ),
  team_full: kind(409, 'The team has 200 members, the most that it may have.', 'Take another member out of it first.'),
  team_needs_member: kind(
    409,
    'The member is the only one of a team, and a team is never empty.',
    'Put another member into the team first, or leave the member in it.',
  ),
  window_closed: kind(
    409,
    'More than 24 hours have passed since the customer wrote, or they never did.',
    'Send an approved template, or wait until the customer writes.',
  ),
  template_not_approved: kind(
    409,
    'Only a template that the channel has approved can be sent.',
    "Read the template's status; choose an approved one, or wait for the review.",
  ),
  template_limit_reached: kind(
    409,
    'The store has as many message templates as it may have.',
    'Delete a template that is not needed.',
  ),
  template_name_taken: kind(
    409,
    'The store has a message template of this name in this language.',
    'Choose another name or language, or edit the template that is there.',
  ),
  template_not_editable: kind(
    409,
    'The message template cannot be edited in this way now.',
    'Read its status and editPending: one that is approved, rejected, paused or submit_failed can be edited, when no other edit waits for the provider.',
  ),
  template_not_sendable: kind(
    409,
    'The template has parts that cannot be sent from here, such as a carousel.',
    'Choose another template; `definition.unsupported` names the parts.',
  ),
  no_channel_number: kind(
    409,
    'The store has no connected channel number that this could be sent from.',
    "Let the service's operator connect the number.",
  ),
  conversation_merged: kind(
    409,
    'The customer of this conversation turned out to be another one; it stays readable, and nothing more is sent in it.',
    'Write in the conversation that `conversationId` names; where there is none yet, startConversation begins it by the phone.',
  ),
  idempotency_in_flight: kind(
    409,
    'The first request with this Idempotency-Key is still running.',
    'Wait for the time in Retry-After, then send the same request again.',
  ),
} as const;
