/** Rules of a message's body that are checked also where other fields are wrong. */
import { knownForm } from '../../../application/channel/customerIdentity.js';
import { memberProblems, type SendInput, textProblems } from '../../../application/channel/outboundContent.js';
import { searchedAt } from '../../../application/phones.js';
import { DomainError, type FieldProblem } from '../../../domain/decider.js';
import type { BodyRule, RuleRequest } from '../../contract/operation.js';

/** Rules of the message at a place of the body, of those types that may be sent there. */
const rulesOf = (
  messageOf: (body: never) => SendInput,
  at: string,
  sendable: (type: string) => boolean,
): readonly BodyRule[] =>
  [
    { fields: ['type'], problems: memberProblems },
    { fields: ['type', 'text'], problems: textProblems },
  ].map(({ fields, problems }) => ({
    fields: fields.map((field) => `${at}.${field}`.slice('body.'.length)),
    problems(body: never) {
      const message = messageOf(body);
      return sendable(message.type) ? problems(message, at) : [];
    },
  }));

/** Rules of a message that is the body. */
export const messageRules = rulesOf(
  (body) => body,
  'body',
  () => true,
);

/** Only a template is sure to reach a customer who may never have written. (Specification 2, 'Start body'.) */
export function templateOnlyProblems({
  message: { type },
}: {
  readonly message: { readonly type: string };
}): FieldProblem[] {
  const message = 'A conversation is started with an approved template.';
  return type === 'template' ? [] : [{ message, location: 'body.message.type', value: type }];
}

/** The customer's phone in E.164. Refuses `validation_failed`. */
export function customerPhone(
  phone: string,
  { commands, workspace: { workspaceId } }: Pick<RuleRequest, 'commands' | 'workspace'>,
): Promise<string> {
  const isKnown = async (one: string): Promise<boolean> =>
    (await knownForm(commands, workspaceId, one)).key !== undefined;
  return searchedAt('body.phone', phone, isKnown);
}

const phoneProblems = ({ phone }: { readonly phone: string }, request: RuleRequest): Promise<readonly FieldProblem[]> =>
  customerPhone(phone, request).then(
    () => [],
    (error: unknown) => {
      if (error instanceof DomainError && error.code === 'validation_failed') return error.problems;
      throw error;
    },
  );

/** Rules of a conversation that is started. */
export const startRules: readonly BodyRule[] = [
  { fields: ['message.type'], problems: templateOnlyProblems },
  ...rulesOf(
    ({ message }: { readonly message: SendInput }) => message,
    'body.message',
    (type) => type === 'template',
  ),
  { fields: ['phone'], problems: phoneProblems },
];
