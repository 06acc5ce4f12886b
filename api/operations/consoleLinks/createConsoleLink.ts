import { enterUrl, makeLink } from '../../../application/console/access.js';
import type { ConsoleTerms } from '../../../domain/console/consoleEvents.js';
import { refuse } from '../../../domain/decider.js';
import { operation, type RuleRequest } from '../../contract/operation.js';
import { ConsoleLinkOutputBody, CreateConsoleLinkInputBody, DEFAULT_MINUTES } from './schemas.js';

const MINUTE_MS = 60_000;

/** Creates a link. Its secret is not in the answer to a repetition. */
export async function answerWithLink(
  { commands, services, now }: Pick<RuleRequest, 'commands' | 'services' | 'now'>,
  terms: ConsoleTerms,
  minutes: number,
) {
  const url = services.consoleUrl?.() ?? refuse('not_found', 'This service has no console.');
  const lastsMs = minutes * MINUTE_MS;
  const { token, until } = await makeLink(commands, terms, { now, lastsMs });
  const times = { expiresAt: new Date(until).toISOString(), sessionExpiresAt: new Date(now + lastsMs).toISOString() };
  return { status: 201, body: { url: enterUrl(url, token), ...times }, replayBody: times } as const;
}

export const createConsoleLink = operation({
  id: 'createConsoleLink',
  route: 'POST {W}/console-links',
  summary:
    "Creates a link into the console for the store's people, limited to this store. It works once, within ten minutes.",
  tag: 'Console',
  scope: 'console:open',
  feature: 'workspace.core',
  addition: "An addition to the specification: a store's own software signs its members in to the console.",
  body: CreateConsoleLinkInputBody,
  bodyOptional: true,
  answers: { 201: ConsoleLinkOutputBody },
  problems: ['not_found'],
  idempotent: true,
  handle: (request) =>
    answerWithLink(
      request,
      { role: 'store', workspaceId: request.workspace.workspaceId },
      request.body.minutes ?? DEFAULT_MINUTES,
    ),
});
