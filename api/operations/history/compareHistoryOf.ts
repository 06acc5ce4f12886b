import { differences } from '../../../application/history/differences.js';
import { subjectOf } from '../../../application/history/historySubjects.js';
import { FIRST_MOMENT, statesAt } from '../../../application/history/pastStates.js';
import { checkRange } from '../../../application/history/ranges.js';
import { storeLog } from '../../../application/history/storeView.js';
import { operation } from '../../contract/operation.js';
import { DateTime } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { WITHIN_MS } from './historyPage.js';
import { namedBy, type Thing } from './historySubjects.js';
import { aboutHistory, HistoryChangesBody } from './schemas.js';

const msOf = (time: string | undefined, absent: number): number => (time === undefined ? absent : Date.parse(time));

export const compareHistoryOf = (thing: Thing) =>
  operation({
    ...aboutHistory,
    id: `compare${thing.name}History`,
    route: `GET {W}/history/${thing.path}/changes`,
    summary: `Compares ${thing.noun} at two times. Default: from its creation until now.`,
    params: thing.params,
    query: { from: Type.Optional(DateTime), to: Type.Optional(DateTime) },
    answers: { 200: HistoryChangesBody },
    problems: ['not_found', 'range_reversed', 'before_first_event', 'history_too_long'],
    async handle({ params, query, workspace: { workspaceId }, read, services, now }) {
      const { from, to } = query as { readonly from?: string; readonly to?: string };
      const moments = [msOf(from, FIRST_MOMENT), msOf(to, Number.POSITIVE_INFINITY)] as const;
      checkRange(...moments);
      const log = storeLog(services.eventStore, workspaceId);
      const subject = await subjectOf({ log, reads: read }, namedBy(thing, params, workspaceId));
      const [was, is] = await statesAt(log, subject, moments, { withinMs: WITHIN_MS, now });
      return { status: 200, body: { kind: subject.kind, id: subject.id, changes: differences(was, is) } };
    },
  });
