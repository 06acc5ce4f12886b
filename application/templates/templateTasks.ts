/** What the tasks of templates have in common. All of a store are in one lane: nothing changes while they are compared. */

import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { type TemplateDecision, template } from '../../domain/templates/template.js';
import type { Refusal } from '../../domain/templates/templateProgress.js';
import { type BoundCommands, bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Log } from '../../engine/ports/log.js';
import { backOff } from '../../engine/processors/backOff.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import type { Files } from '../files/files.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { TemplateAccount, TemplateProvider } from '../ports/templateProvider.js';
import { decideAndFree } from './templates.js';

/** What the composition root gives to the processor of templates. */
export interface TemplateParts extends CaughtUp {
  readonly provider: TemplateProvider;
  /** The account of the store's number; undefined: the store has no number connected. */
  accountOf(workspaceId: string): Promise<TemplateAccount | undefined>;
  readonly files: Pick<Files, 'fileOf' | 'openFile'>;
  readonly log: Pick<Log, 'warn'>;
  /** In [0, 1): jitter of the retries; Math.random when absent. */
  readonly random?: () => number;
}

/** Whom a task is for, and how often in a row it failed. */
export interface StoreTask {
  readonly workspaceId: string;
  readonly partnerId?: string;
  readonly correlationId: string;
  readonly failures: number;
}
export interface TemplateTask extends StoreTask {
  readonly templateId: string;
  /** When it was asked for, in ms. */
  readonly since: number;
}

/** One performance of a task. */
export interface Work<Payload extends StoreTask> extends TemplateParts {
  readonly task: Task<Payload>;
  readonly context: ProcessorContext;
  /** `names` tell the commands of one task apart, and recognise a repeated one. */
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
/** So long the provider is tried when it cannot be reached or asks to wait, in ms. */
export const LONGEST_MS = 24 * 3_600_000;

/** The same later, by the provider's wish or after a growing pause. */
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

/**
 * Runs a task of one template. What the provider refuses for good, or has not taken within a day, is handed to `refused`;
 * what it may still take comes again.
 */
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
    log.warn({ workspaceId, templateId, task: task.kind, code: error.code }, 'the provider refused a template');
    // Whether the provider has it all the same is asked until it says so.
    return refused(refusalOf(error), account).catch((asked: unknown) => {
      if (!(asked instanceof ProviderError && asked.retry) || context.signal.aborted) throw asked;
      return again(work, asked);
    });
  }
}

/** Ends a template that stands here, and lets go of its name. */
export async function remove(
  commands: BoundCommands,
  place: Pick<TemplateTask, 'workspaceId' | 'templateId'>,
  decision: TemplateDecision,
): Promise<void> {
  const stands = await commands.query(template, place.templateId, (state) => state.standing);
  if (stands) await decideAndFree(commands, place, decision);
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

/** A task for the template that an event is about. */
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

/** A task for the store whose stream an event is in. */
export const storeTaskOf = (event: Caused, kind: string, more: object = {}): NewTask[] => [
  { id: `${kind}/${event.id}`, kind, lane: event.streamId, payload: { ...storeTask(event, event.streamId), ...more } },
];
