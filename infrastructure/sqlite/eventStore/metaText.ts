/** Metadata as they are stored: one JSON text for the events of an append. */
import type { EventMeta } from '../../../domain/decider.js';

/** A text in which JSON has written nothing in another way. */
const PLAIN = '"([^"\\\\\\u0000-\\u001f]*)"';
const optional = (name: string): string => `(?:,"${name}":${PLAIN})?`;
/** In the order in which the command handler writes them, without what is rare: an account, a trace, a version. */
const MOST = new RegExp(
  `^\\{"at":${PLAIN},"actor":\\{"type":${PLAIN}${optional('id')}\\},"correlationId":${PLAIN}${[
    'causationId',
    'workspaceId',
    'partnerId',
  ]
    .map(optional)
    .join('')}\\}$`,
);

type Found = [text: string, at: string, type: string, id: string | undefined, correlationId: string, ...Rest];
type Rest = [causationId: string | undefined, workspaceId: string | undefined, partnerId: string | undefined];

/**
 * Parses like JSON.parse, in a third of the time for the usual form. Its texts retain the whole text in memory: for callers that soon
 * release them. Throws SyntaxError for invalid JSON.
 */
export function metaIn(text: string): EventMeta {
  const found = MOST.exec(text) as unknown as Found | null;
  if (found === null) return JSON.parse(text) as EventMeta;
  const [, at, type, id, correlationId, causationId, workspaceId, partnerId] = found;
  const meta: { -readonly [Name in keyof EventMeta]: EventMeta[Name] } = {
    at,
    actor: (id === undefined ? { type } : { type, id }) as EventMeta['actor'],
    correlationId,
  };
  if (causationId !== undefined) meta.causationId = causationId;
  if (workspaceId !== undefined) meta.workspaceId = workspaceId;
  if (partnerId !== undefined) meta.partnerId = partnerId;
  return meta;
}
