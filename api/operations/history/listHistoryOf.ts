import { subjectOf } from '../../../application/history/historySubjects.js';
import { timelineOf } from '../../../application/history/timeline.js';
import { operation } from '../../contract/operation.js';
import { historyPage } from './historyPage.js';
import { namedBy, type Thing } from './historySubjects.js';
import { aboutHistory, HistoryBody, HistoryQuery } from './schemas.js';

export const listHistoryOf = (thing: Thing) =>
  operation({
    ...aboutHistory,
    id: `list${thing.name}History`,
    route: `GET {W}/history/${thing.path}`,
    summary: `Lists the events of ${thing.noun}, oldest first.`,
    params: thing.params,
    query: HistoryQuery,
    answers: { 200: HistoryBody },
    problems: ['not_found', 'invalid_cursor', 'range_reversed'],
    async handle(request) {
      const { params, workspace, read } = request;
      const named = namedBy(thing, params, workspace.workspaceId);
      const body = await historyPage(request, async (log, question, bounds) =>
        timelineOf(log, await subjectOf({ log, reads: read }, named), question, bounds),
      );
      return { status: 200, body };
    },
  });
