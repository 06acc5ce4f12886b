/** Submits templates, their edits and their deletions to the provider. Each may be repeated after a crash at any point. */
import { defined } from '../../domain/defined.js';
import { isAsRequested, sameContent } from '../../domain/templates/definitionRules.js';
import { template } from '../../domain/templates/template.js';
import type { TemplateContent, TemplateStatus } from '../../domain/templates/templateEvents.js';
import {
  editToSubmit,
  type Refusal,
  recordDeleted,
  recordDeletionFailed,
  recordEditFailed,
  recordEditSubmitted,
  recordSubmitFailed,
  recordSubmitted,
} from '../../domain/templates/templateProgress.js';
import { type ListedTemplate, wholeSecond } from '../../domain/templates/templateReports.js';
import type { Outcome } from '../../engine/processors/processor.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { TemplateAccount } from '../ports/templateProvider.js';
import { attempt, DONE, remove, type TemplateTask, type Work } from './templateTasks.js';

const existingTemplate = ({ task, context }: Work<TemplateTask>) =>
  context.commands.query(template, task.payload.templateId, (state) => (state.standing ? state : undefined));

/** Uploads the header's sample for the reviewers. Undefined: the header has none. */
async function sampleHandle(
  { files, provider, task, context }: Work<TemplateTask>,
  account: TemplateAccount,
  { definition }: TemplateContent,
): Promise<string | undefined> {
  const fileId = definition.header?.sampleFileId;
  if (fileId === undefined) return undefined;
  const { workspaceId } = task.payload;
  const found = await files.fileOf(workspaceId, fileId);
  const bytes = found && (await files.openFile(workspaceId, fileId));
  if (found === undefined || bytes === undefined)
    throw new ProviderError('sample_missing', 'The sample file of the header no longer exists.', false);
  const { name: filename, mimeType, size } = found;
  try {
    return await provider.uploadSample(
      account,
      { filename, mimeType, size, content: async () => bytes },
      context.signal,
    );
  } finally {
    bytes.destroy();
  }
}

/** Returns true if the provider has the submitted content: it was accepted, and only the response was lost. */
const isTaken = (
  found: ListedTemplate | 'unknown' | undefined,
  { category, definition }: TemplateContent,
): found is ListedTemplate =>
  found !== undefined && found !== 'unknown' && isAsRequested(category, definition, found.definition);

/** Returns the provider's current version. `unknown` if it refuses the query. */
async function findAt(
  { provider, context }: Work<TemplateTask>,
  account: TemplateAccount | undefined,
  named: { readonly name: string; readonly language: string },
): Promise<ListedTemplate | 'unknown' | undefined> {
  if (account === undefined) return 'unknown';
  return provider.find(account, named, context.signal).catch((error: unknown) => {
    if (error instanceof ProviderError && !error.retry) return 'unknown' as const;
    throw error;
  });
}

/** Ends the task, and schedules a comparison with the provider's version. */
const compareLater = ({ task, context }: Work<TemplateTask>): Outcome => ({
  done: true,
  next: [
    {
      id: `look/${task.id}`,
      kind: 'sync',
      lane: task.payload.workspaceId,
      payload: { ...task.payload, failures: 0, requestedAt: context.clock.now() },
    },
  ],
});

/** Creates it at the provider. The provider refuses an existing name, so a template that was created before a crash is found. */
export async function submit(work: Work<TemplateTask>): Promise<Outcome> {
  const { templateId } = work.task.payload;
  const state = await existingTemplate(work);
  if (state?.status !== 'submitting') return DONE;
  const taken = async ({
    providerId,
    status,
    category,
  }: Pick<ListedTemplate, 'providerId' | 'status'> & Partial<TemplateContent>) => {
    const answer = {
      providerId,
      status: status === 'deleted' ? 'pending' : status,
      ...defined({ category }),
    } as const;
    await work.commands('submitted', providerId).decide(template, templateId, recordSubmitted(answer));
    // The provider writes the text of an authentication template, in its language.
    return state.category === 'authentication' ? compareLater(work) : DONE;
  };
  return attempt(
    work,
    async (account) => {
      const handle = await sampleHandle(work, account, state);
      return taken(await work.provider.create(account, { ...state, sampleHandle: handle }, work.context.signal));
    },
    async (refusal, account) => {
      const found = await findAt(work, account, state);
      if (isTaken(found, state)) return taken(found);
      await work.commands('refused').decide(template, templateId, recordSubmitFailed(refusal));
      return DONE;
    },
  );
}

/** Edits it at the provider. An edit that was accepted before a crash is refused, and found in the current version. */
export async function edit(work: Work<TemplateTask>): Promise<Outcome> {
  const { templateId } = work.task.payload;
  const state = await existingTemplate(work);
  const requested = state && editToSubmit(state);
  if (state?.providerId === undefined || requested === undefined) return DONE;
  const { providerId } = state;
  const startedAt = wholeSecond(work.context.clock.now());
  const taken = async (): Promise<Outcome> => {
    await work.commands('taken').decide(template, templateId, recordEditSubmitted());
    // Reports of the provider before this was recorded may have been its decision.
    const isReported = ((await existingTemplate(work))?.statusAt ?? 0) >= startedAt;
    return isReported || requested.category === 'authentication' ? compareLater(work) : DONE;
  };
  return attempt(
    work,
    async (account) => {
      const handle = await sampleHandle(work, account, requested);
      await work.provider.edit(account, providerId, { ...requested, sampleHandle: handle }, work.context.signal);
      return taken();
    },
    async (refusal, account) => {
      const found = await findAt(work, account, state);
      const same = isTaken(found, requested) && !sameContent(requested.definition, state.definition);
      if (same && found.providerId === providerId) return taken();
      await work.commands('refused').decide(template, templateId, recordEditFailed(refusal));
      return DONE;
    },
  );
}

export interface DeleteTask extends TemplateTask {
  readonly before: TemplateStatus;
}

/** Deletes it at the provider. If the provider does not have it (any more), it is removed. */
export async function deleteAt(work: Work<DeleteTask>): Promise<Outcome> {
  const { payload } = work.task;
  const state = await existingTemplate(work);
  if (state?.status !== 'deleting') return DONE;
  const gone = async (): Promise<Outcome> => {
    await remove(work.commands('deleted'), payload, recordDeleted());
    return DONE;
  };
  const idAt = async (account: TemplateAccount): Promise<string | undefined> =>
    state.providerId ?? (await work.provider.find(account, state, work.context.signal))?.providerId;
  return attempt(
    work,
    async (account) => {
      const providerId = await idAt(account);
      if (providerId !== undefined)
        await work.provider.remove(account, { providerId, name: state.name }, work.context.signal);
      return gone();
    },
    async (refusal: Refusal, account) => {
      const found = await findAt(work, account, state);
      const never = account === undefined && state.providerId === undefined;
      if (never || found === undefined || (found !== 'unknown' && found.status === 'pending_deletion')) return gone();
      const failed = recordDeletionFailed(refusal, payload.before);
      await work.commands('refused').decide(template, payload.templateId, failed);
      return DONE;
    },
  );
}
