/** Common parts of the templates tasks. All tasks of a store share one lane, so that nothing changes during a comparison. */

import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { type TemplateDecision, template } from '../../domain/templates/template.js';
import type { Refusal } from '../../domain/templates/templateProgress.js';
import { backOff } from '../../engine/backOff.js';
import { type BoundCommands, bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Log } from '../../engine/ports/log.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import type { Files } from '../files/files.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { TemplateAccount, TemplateProvider } from '../ports/templateProvider.js';
import { decideAndFree } from './templates.js';

/** Dependencies of the templates processor from the composition root. */
export interface TemplateParts extends CaughtUp {
  readonly provider: TemplateProvider;
  /** Returns the account of the store's number. Undefined: the store has no number connected. */
  accountOf(workspaceId: string): Promise<TemplateAccount | undefined>;
  readonly files: Pick<Files, 'fileOf' | 'openFile'>;
  readonly log: Pick<Log, 'warn'>;
  /** Random number in [0, 1) for jitter of the retries. Default: Math.random. */
  readonly random?: () => number;
}

/** Store of a task, and its number of consecutive failures. */
export interface StoreTask {
  readonly workspaceId: string;
  readonly partnerId?: string;
  readonly correlationId: string;
  readonly failures: number;
}
export interface TemplateTask extends StoreTask {
  readonly templateId: string;
  /** Time of the request, in ms. */
  readonly since: number;
}

/** One performance of a task. */
export interface Work<Payload extends StoreTask> extends TemplateParts {
  readonly task: Task<Payload>;
  readonly context: ProcessorContext;
  /** `names` identify the command within the task, so that a repeated one is recognised. */
  commands(...names: readonly (string | number)[]): BoundCommands;
}

export function workOf<Payload extends StoreTask>(
  parts: TemplateParts,
  task: Task<Payload>,
  context: ProcessorContext,
): Work<Payload> {
  const { workspaceId, partnerId, correlationId } = task.payload;
  const cause = { workspaceId, correlationId, ...defined({ partnerId }) };
  return {
    ...parts,
    task,
    context,
    commands: (...names) =>
      bindCommands(context.commands, {
        ...context.contextFor(task, cause),
        commandId: derivedId('template task', task.id, ...names),
      }),
  };
}

export const DONE: Outcome = { done: true };
/** Maximum time of retries at an unreachable or busy provider, in ms. */
export const LONGEST_MS = 24 * 3_600_000;

/** Repeats the task later, as the provider requested or after a growing pause. */
export function again<Payload extends StoreTask>(
  { task, context, random }: Work<Payload>,
  error: ProviderError,
): { readonly again: { readonly at: number; readonly payload: Payload } } {
  const failures = task.payload.failures + 1;
  const at = context.clock.now() + Math.max(error.retryAfterMs ?? 0, backOff(failures, random?.()));
  return { again: { at, payload: { ...task.payload, failures } } };
}

export const refusalOf = ({ code, message }: ProviderError): Refusal => ({ errorCode: code, errorMessage: message });

export const NO_NUMBER: Refusal = {
  errorCode: 'no_channel_number',
  errorMessage: 'The store has no channel number connected.',
};

/** Runs a task of one template. Calls `refused` for a permanent refusal, or after a day of failures. Temporary failures are retried. */
export async function attempt(
  work: Work<TemplateTask>,
  run: (account: TemplateAccount) => Promise<Outcome>,
  refused: (refusal: Refusal, account: TemplateAccount | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const { task, context, log } = work;
  const { workspaceId, templateId, since } = task.payload;
  const account = await work.accountOf(workspaceId);
  if (account === undefined) return refused(NO_NUMBER, undefined);
  try {
    return await run(account);
  } catch (error) {
    if (!(error instanceof ProviderError) || context.signal.aborted) throw error;
    const next = again(work, error);
    if (error.retry && next.again.at <= since + LONGEST_MS) return next;
    log.warn({ workspaceId, templateId, task: task.kind, code: error.code }, 'template refused by the provider');
    // The query whether the provider has it anyway is retried until it is answered.
    return refused(refusalOf(error), account).catch((failure: unknown) => {
      if (!(failure instanceof ProviderError && failure.retry) || context.signal.aborted) throw failure;
      return again(work, failure);
    });
  }
}

/** Ends an existing template, and frees its name. */
export async function remove(
  commands: BoundCommands,
  place: Pick<TemplateTask, 'workspaceId' | 'templateId'>,
  decision: TemplateDecision,
): Promise<void> {
  const exists = await commands.query(template, place.templateId, (state) => state.standing);
  if (exists) await decideAndFree(commands, place, decision);
}

type Caused = {
  readonly id: string;
  readonly streamId: string;
  readonly meta: {
    readonly at: string;
    readonly correlationId: string;
    readonly workspaceId?: string;
    readonly partnerId?: string;
  };
};

const storeTask = ({ meta }: Caused, workspaceId: string): StoreTask => ({
  workspaceId,
  ...defined({ partnerId: meta.partnerId }),
  correlationId: meta.correlationId,
  failures: 0,
});

/** Creates a task for the template of an event. */
export function templateTask(event: Caused, kind: 'submit' | 'edit' | 'delete', more: object = {}): NewTask[] {
  const { workspaceId } = event.meta;
  if (workspaceId === undefined) return [];
  const payload: TemplateTask = {
    ...storeTask(event, workspaceId),
    templateId: event.streamId,
    since: Date.parse(event.meta.at),
    ...more,
  };
  return [{ id: event.id, kind, lane: workspaceId, payload }];
}

/** Creates a task for the store whose stream contains an event. */
export const storeTaskOf = (event: Caused, kind: string, more: object = {}): NewTask[] => [
  { id: `${kind}/${event.id}`, kind, lane: event.streamId, payload: { ...storeTask(event, event.streamId), ...more } },
];
