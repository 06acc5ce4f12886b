import { createContacts } from '../../../application/channel/contacts.js';
import { erasedOf, knownKey } from '../../../application/channel/customerIdentity.js';
import { defaultTeamOf } from '../../../application/channel/routing.js';
import { members } from '../../../domain/access/members.js';
import { contactIdOf, conversationOfKey } from '../../../domain/channel/conversationIds.js';
import { startConversation as decideStart, type StartConversation } from '../../../domain/channel/memberMessages.js';
import { refuse } from '../../../domain/decider.js';
import { derivedId } from '../../../domain/ids.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { conversations } from '../../../projections/conversations.js';
import { Json, operation } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import { customerPhone, startRules, templateOnlyProblems } from './rules.js';
import { StartInputBody, StartOutputBody } from './sendingSchemas.js';
import { connectedNumber, type Sending, sendOnce } from './sendOnce.js';
import { seesTeam } from './visibility.js';

const NOT_YOURS = "The customer's conversation belongs to a team that is not yours.";

/** Returns the contacts by phone. The request's commands bring their own context. */
function contactsOf({ commands, services, workspace: { workspaceId }, requestId }: Sending) {
  const handler: CommandHandler = {
    decide: (_, aggregate, id, decision) => commands.decide(aggregate, id, decision),
    query: (aggregate, id, read) => commands.query(aggregate, id, read),
  };
  // Concurrent requests derive the same key, and nobody can derive it without the master key. Each erasure changes it, so that an
  // erased conversation is never continued.
  async function keyed(phone: string): Promise<string> {
    const erased = await erasedOf(handler, workspaceId, phone);
    const name = ['customer', workspaceId, phone, ...(erased === 0 ? [] : [erased])].join('\0');
    return derivedId('customer', services.cursors.tag(name));
  }
  const context = { workspaceId, commandId: requestId, actor: { type: 'system' }, correlationId: requestId } as const;
  return {
    keyOf: async (phone: string): Promise<string> =>
      (await knownKey(handler, workspaceId, { phone })) ?? (await keyed(phone)),
    /** The phone becomes that of the customer with the key, unless it has become another's in this very moment. */
    async claim(numberId: string, phone: string, key: string): Promise<void> {
      const contacts = createContacts({ commands: handler, clock: services.clock, newKey: () => key });
      if ((await contacts.claim(context, numberId, { phone })) !== key)
        refuse('concurrent_change', 'The id of the customer has just changed. Send the request again.');
    },
  };
}

/**
 * Returns the requested team, and the team of a conversation without one: the default team if it is the caller's.
 * Refuses `validation_failed` for a team that the store does not have, `permission_denied` for one that is not the
 * caller's.
 */
async function teamsOf(
  { commands, workspace: { workspaceId }, member }: Sending,
  requested: string | undefined,
): Promise<Pick<StartConversation, 'teamId' | 'otherwise' | 'sees'>> {
  const teamId = requested?.toLowerCase();
  const sees = (team: string | undefined): boolean => seesTeam(member, team);
  const store = await commands.query(members, workspaceId, (people) => ({
    has: teamId === undefined || people.teams.has(teamId),
    byDefault: defaultTeamOf(people),
  }));
  const message = 'The store has no such team.';
  if (!store.has) refuse('validation_failed', message, [{ message, location: 'body.teamId', value: requested }]);
  if (!sees(teamId)) throw new Refusal('permission_denied', 'You are not a member of the team.');
  const [own] = member?.teamIds ?? [];
  return { teamId, otherwise: sees(store.byDefault) ? store.byDefault : own, sees };
}

/** (Specification 2, 'Inbox', rule 2.) */
export const startConversation = operation({
  id: 'startConversation',
  route: 'POST {W}/conversations',
  summary: "Opens the customer's conversation, or uses the existing one, and queues an approved template.",
  tag: 'Inbox',
  scope: 'inbox:reply',
  feature: 'channel.number',
  body: StartInputBody,
  rules: startRules,
  idempotent: true,
  answers: { 202: StartOutputBody },
  problems: ['template_not_approved', 'template_not_sendable', 'template_parameters_invalid', 'no_channel_number'],
  async handle(request) {
    const { body, workspace, read, now } = request;
    const { message } = body;
    const [unfit] = templateOnlyProblems(body);
    if (unfit !== undefined) refuse('validation_failed', unfit.message, [unfit]);
    const phone = await customerPhone(body.phone, request);
    const teams = await teamsOf(request, body.teamId);
    const numberId = await connectedNumber(request);
    const contacts = contactsOf(request);
    const key = await contacts.keyOf(phone);
    const conversationId = conversationOfKey(numberId, key);
    const contact = { contactId: contactIdOf(workspace.workspaceId, key), language: workspace.locale };
    const target = { conversationId, numberId, to: { phone }, contact, at: 'body.message' };
    const json = await sendOnce(request, target, message, async (command) => {
      await contacts.claim(numberId, phone, key);
      return decideStart({ message: command, ...teams }, now);
    });
    const row = await read.get(conversations, conversationId);
    if (row === undefined)
      throw new Refusal('unavailable', 'The message is queued, but the read model of its conversation lags behind.');
    if (!teams.sees(row.body.teamId)) throw new Refusal('permission_denied', NOT_YOURS);
    return { status: 202, body: new Json(`{"conversation":${row.json},"message":${json}}`) };
  },
});
