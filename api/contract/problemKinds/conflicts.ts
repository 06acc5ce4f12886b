/** A change that does not fit what is there. */
import { kind } from './problemKind.js';

export const conflicts = {
  command_refused: kind(
    409,
    'The console refused an operator command. `reason` is the code of the command, and the detail explains it.',
    'Follow the detail, or run the command with different values.',
  ),
  concurrent_change: kind(
    409,
    'Concurrent changes to the same object kept the request from completing.',
    'Send the request again after a moment.',
  ),
  retailer_id_taken: kind(
    409,
    'Another product or variant of the store has this retailer id.',
    'Choose an external id that is unique among the products and variants of the store.',
  ),
  name_taken: kind(409, 'The name is already used.', 'Choose another name.'),
  coupon_code_taken: kind(
    409,
    'Another promotion has this coupon code. Codes are not case-sensitive.',
    'Choose another code.',
  ),
  promotion_in_use: kind(
    409,
    'A promotion uses this number list.',
    'Delete the promotion, or give it another list, first.',
  ),
  number_list_limit_reached: kind(
    409,
    'The store has reached the limit of 500 number lists.',
    'Delete a list that no promotion uses.',
  ),
  promotion_limit_reached: kind(
    409,
    'The store has reached the limit of 1,000 promotions, including past ones.',
    'Delete ended promotions. Orders that used them keep their discount.',
  ),
  order_status_not_allowed: kind(
    409,
    'The order cannot move to this status from its current status.',
    "Set one of the order's nextStatuses; statuses only move forward.",
  ),
  webhook_endpoint_limit_reached: kind(
    409,
    'The workspace has reached the limit of 20 webhook endpoints.',
    'Delete an unused endpoint, or subscribe one endpoint to more event types.',
  ),
  webhook_endpoint_disabled: kind(
    409,
    'The webhook endpoint is disabled. Only tests are sent to it.',
    'Enable it with status active, then repeat the request.',
  ),
  store_not_closable: kind(
    409,
    'A store in this status cannot be closed.',
    "Read the store's status; a cancelled store stays as it is.",
  ),
  store_not_reopenable: kind(
    409,
    'The store was not closed by the partner, so the partner cannot reopen it.',
    "Read the store's status and closedAt.",
  ),
  no_free_seat: kind(
    409,
    'The role needs a seat, but the store has no free seat.',
    'Free a seat, or change the plan, then send the request again.',
  ),
  member_limit_reached: kind(
    409,
    'The store has reached the limit of 1,000 members, including disabled ones.',
    'Use existing members of the store for sign-ins.',
  ),
  member_links_limit_reached: kind(
    409,
    'Ten users are linked to this member already.',
    'Use one stable sub per person for all sign-ins.',
  ),
  last_owner: kind(
    409,
    'The store would be left without an active owner.',
    'Make another member of the store an owner first.',
  ),
  team_full: kind(409, 'The team has reached the limit of 200 members.', 'Remove another member from the team first.'),
  team_needs_member: kind(
    409,
    'The member is the only member of a team, and a team cannot be empty.',
    'Add another member to the team first, or keep the member in it.',
  ),
  window_closed: kind(
    409,
    'The customer has not written within the last 24 hours.',
    'Send an approved template, or wait until the customer writes.',
  ),
  template_not_approved: kind(
    409,
    'Only a template that the channel has approved can be sent.',
    "Check the template's status. Use an approved template, or wait for the review.",
  ),
  template_limit_reached: kind(
    409,
    'The store has reached the limit of message templates.',
    'Delete an unused template.',
  ),
  template_name_taken: kind(
    409,
    'The store already has a message template with this name and language.',
    'Choose another name or language, or edit the existing template.',
  ),
  template_not_editable: kind(
    409,
    'The message template cannot be edited in this way at the moment.',
    'Check its status and editPending. An approved, rejected, paused or submit_failed template can be edited if no other edit is pending.',
  ),
  template_not_sendable: kind(
    409,
    'The template has parts that this service cannot send, such as a carousel.',
    'Use another template. `definition.unsupported` names the parts.',
  ),
  no_channel_number: kind(
    409,
    'The store has no connected channel number to send from.',
    'Ask the operator of the service to connect a number.',
  ),
  conversation_merged: kind(
    409,
    'The customer of this conversation was merged with another customer. The conversation is read-only.',
    'Write to the conversation in `conversationId`. If it is absent, start a conversation with startConversation and the phone number.',
  ),
  idempotency_in_flight: kind(
    409,
    'The first request with this Idempotency-Key is still running.',
    'Wait for the seconds in Retry-After, then send the same request again.',
  ),
} as const;
