/** The stepper: a document of a read model, event by event. For who may see every store. */

import { actorNames } from '../../application/console/actorNames.js';
import {
  type DocumentSteps,
  type DocumentView,
  documentSteps,
  streamsOf,
} from '../../application/console/documentSteps.js';
import { shownValue } from '../../application/history/historyEntries.js';
import { defined } from '../../domain/defined.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { projections } from '../../projections/index.js';
import type { Services } from '../contract/services.js';
import { eventBody } from './bodies.js';
import type { ConsoleDocumentBody, ConsoleDocumentStepsBody } from './contract.js';
import { type ConsoleOperation, consoleRead, EVERYTHING, notFound, textOf, wholeOf } from './request.js';

const SOME = 20;
const PAGE = 100;

const projectionOf = (name: string): AnyProjection =>
  projections.find((one) => one.name === name) ?? notFound('read model');

const documentBody = (view: DocumentView | undefined): ConsoleDocumentBody | undefined =>
  view && (shownValue({ keys: view.keys, body: view.body }) as ConsoleDocumentBody);

interface About {
  readonly id: string;
  readonly from: number;
  readonly streams: readonly string[] | undefined;
}

/** Steps as pages get them. */
export const stepsBody = (
  { name, version }: AnyProjection,
  { id, from, streams }: About,
  { before, steps, more, bounded, seen }: DocumentSteps,
  nameOf: Parameters<typeof eventBody>[1],
): ConsoleDocumentStepsBody => ({
  ...{ projection: name, version, id, from, more, bounded, seen },
  ...defined({ streams, before: documentBody(before) }),
  steps: steps.map(({ event, document, error }) => ({
    event: eventBody(event, nameOf),
    ...defined({ document: documentBody(document), error }),
  })),
});

/** `after`: what the last step leaves, at its position. What is stored may not have come so far yet. */
function isOther(stored: StoredDocument | undefined, after: DocumentView | undefined, position: number): boolean {
  if (stored === undefined || stored.revision < position) return false;
  return stored.revision > position || JSON.stringify(stored.body) !== JSON.stringify(after?.body);
}

export const documentOperations = ({ eventStore, reads }: Services): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.listDocuments',
    path: '/projections/{name}/documents',
    roles: EVERYTHING,
    async answer({ params }) {
      const found = await reads.find(projectionOf(params.name!), { limit: SOME });
      return { ids: found.map(({ id }) => id) };
    },
  }),
  consoleRead({
    id: 'console.getDocumentSteps',
    path: '/projections/{name}/steps',
    roles: EVERYTHING,
    async answer({ params, query }) {
      const projection = projectionOf(params.name!);
      const id = textOf(query, 'document') ?? notFound('document');
      const from = wholeOf(query, 'from') ?? 0;
      const stored = await reads.get(projection, id);
      const of = { projection, id, from, limit: PAGE };
      const named = streamsOf(projection, id, stored?.keys);
      const stream = textOf(query, 'stream')?.split(',');
      const near = textOf(query, 'everywhere') ? undefined : (stream ?? named);
      const first = await documentSteps(eventStore, { ...of, streams: near });
      const isNear = first.steps.length > 0 || first.before !== undefined || first.bounded;
      // The id does not name the streams of its events.
      const streams = isNear ? near : undefined;
      const found = isNear ? first : await documentSteps(eventStore, of);
      if (found.steps.length === 0 && found.before === undefined && !found.bounded) return notFound('document');
      const nameOf = await actorNames(
        reads,
        found.steps.map(({ event }) => event),
      );
      const body = stepsBody(projection, { id, from, streams }, found, nameOf);
      const last = found.steps.at(-1);
      const isWhole = !found.more && !found.bounded && last !== undefined;
      const differs = isWhole && isOther(stored, last.document, last.event.position);
      return differs ? { ...body, differs } : body;
    },
  }),
];
