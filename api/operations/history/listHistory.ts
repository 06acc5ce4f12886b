import { subjectOf } from '../../../application/history/historySubjects.js';
import { timelineOf } from '../../../application/history/timeline.js';
import { operation } from '../../contract/operation.js';
import { historyPage } from './historyPage.js';
import { aboutHistory, HistoryBody, HistoryQuery } from './schemas.js';

export const listHistory = operation({
  ...aboutHistory,
  id: 'listHistory',
  route: 'GET {W}/history',
  summary: 'Lists the events of the store, oldest first. A page may be short or empty and still have a `next`.',
  query: HistoryQuery,
  answers: { 200: HistoryBody },
  problems: ['invalid_cursor', 'range_reversed'],
  async handle(request) {
    const { workspaceId } = request.workspace;
    const body = await historyPage(request, async (log, question, bounds) => {
      const subject = await subjectOf({ log, reads: request.read }, { kind: 'store', id: workspaceId, workspaceId });
      return timelineOf(log, subject, question, bounds);
    });
    return { status: 200, body };
  },
});
