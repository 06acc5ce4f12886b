/** Submits templates to the provider, and compares them with the provider's: on request, when a number is connected, and daily. */
import { createHash } from 'node:crypto';
import type { StoreEvent } from '../../domain/stores/storeEvents.js';
import type { TemplateEvent, TemplateSyncEvent } from '../../domain/templates/templateEvents.js';
import {
  defineProcessor,
  type NewTask,
  type Outcome,
  type Processor,
  type Task,
} from '../../engine/processors/processor.js';
import { type DeleteTask, deleteAt, edit, submit } from './templateSubmission.js';
import { type SyncTask, sync } from './templateSyncTasks.js';
import { storeTaskOf, type TemplateParts, type TemplateTask, templateTask, workOf } from './templateTasks.js';

const DAY_MS = 86_400_000;

/** Spreads the comparisons of stores over the day. */
const timeOfDay = (workspaceId: string): number =>
  createHash('sha256').update(workspaceId).digest().readUInt32BE(0) % DAY_MS;

/** Schedules at most one comparison per store and day. */
function nextDay({ payload }: Task<SyncTask>, now: number): NewTask {
  const { requestedAt: _, ...task } = payload;
  const { workspaceId } = payload;
  const day = Math.floor(now / DAY_MS) + 1;
  const dueAt = day * DAY_MS + timeOfDay(workspaceId);
  return {
    id: `daily/${workspaceId}/${day}`,
    kind: 'daily',
    lane: workspaceId,
    dueAt,
    payload: { ...task, failures: 0 },
  };
}

const goesOn = (outcome: Outcome, next: NewTask): Outcome =>
  'again' in outcome ? outcome : { done: true, next: [next] };

export function templatesProcessor(parts: TemplateParts): Processor<TemplateEvent | TemplateSyncEvent | StoreEvent> {
  return defineProcessor<TemplateEvent | TemplateSyncEvent | StoreEvent>({
    name: 'templates',
    categories: ['template', 'templateSync', 'store'],
    // Deletions are not derivable: the template may have been created again since.
    derivable: ['TemplateCreated', 'TemplateResubmitted', 'TemplateEditRequested', 'ChannelNumberConnected'],
    on: {
      TemplateCreated: (event) => templateTask(event, 'submit'),
      TemplateResubmitted: (event) => templateTask(event, 'submit'),
      TemplateEditRequested: (event) => templateTask(event, 'edit'),
      TemplateDeletionRequested: (event) => templateTask(event, 'delete', { before: event.data.before }),
      TemplateSyncRequested: (event) => storeTaskOf(event, 'sync', { requestedAt: Date.parse(event.meta.at) }),
      ChannelNumberConnected: (event) => storeTaskOf(event, 'daily'),
    },
    perform: {
      submit: (task: Task<TemplateTask>, context) => submit(workOf(parts, task, context)),
      edit: (task: Task<TemplateTask>, context) => edit(workOf(parts, task, context)),
      delete: (task: Task<DeleteTask>, context) => deleteAt(workOf(parts, task, context)),
      sync: (task: Task<SyncTask>, context) => sync(workOf(parts, task, context)),
      daily: async (task: Task<SyncTask>, context) =>
        goesOn(await sync(workOf(parts, task, context)), nextDay(task, context.clock.now())),
    },
    concurrency: 16,
  });
}
