/** Outcomes of submitting, editing and deleting a template at the provider: decisions of the templates processor. */
import {
  contentOf,
  type ExistingTemplate,
  type PendingEdit,
  type Template,
  type TemplateDecision,
} from './template.js';
import type { TemplateCategory } from './templateDefinition.js';
import type { ProviderStatus, TemplateEvent, TemplateStatus } from './templateEvents.js';

/** Reason why the provider refused a request. */
export interface Refusal {
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** Records that the provider accepted a submitted template, even if its deletion was requested since. */
export const recordSubmitted =
  (answer: { providerId: string; status: ProviderStatus; category?: TemplateCategory }): TemplateDecision =>
  (state) => {
    const waits = state.standing && state.providerId === undefined && ['submitting', 'deleting'].includes(state.status);
    return waits ? [{ type: 'TemplateSubmitted', data: answer }] : [];
  };

export const recordSubmitFailed =
  (refusal: Refusal): TemplateDecision =>
  (state) =>
    state.standing && state.status === 'submitting' ? [{ type: 'TemplateSubmitFailed', data: refusal }] : [];

/** Returns the edit that has not been submitted. */
export const editToSubmit = (state: Template): PendingEdit | undefined =>
  state.standing && state.edit?.submittedAt === undefined ? state.edit : undefined;

/**
 * Records that the provider accepted the edit. An approved template does not change until the provider has decided. Any other template gets
 * the edited content, and is under review.
 */
export const recordEditSubmitted = (): TemplateDecision => (state) => {
  const edit = editToSubmit(state);
  if (!state.standing || edit === undefined) return [];
  const submitted: TemplateEvent = { type: 'TemplateEditSubmitted', data: {} };
  if (state.status === 'approved') return [submitted];
  return [
    submitted,
    revised(edit),
    { type: 'TemplateStatusChanged', data: { status: 'pending', before: state.status } },
  ];
};

export const recordEditFailed =
  (refusal: Refusal): TemplateDecision =>
  (state) =>
    editToSubmit(state) === undefined ? [] : [{ type: 'TemplateEditFailed', data: refusal }];

/** Makes the edited content effective. */
export const revised = (edit: PendingEdit): TemplateEvent => ({
  type: 'TemplateRevised',
  data: { ...contentOf(edit), by: 'edit' },
});

/** Records that the provider has deleted it, or does not have it. */
export const recordDeleted = (): TemplateDecision => (state) =>
  state.standing && state.status === 'deleting' ? [{ type: 'TemplateRemoved', data: { by: 'deletion' } }] : [];

/** Records that the provider refused to delete it. It returns to its previous status. */
export const recordDeletionFailed =
  (refusal: Refusal, before: TemplateStatus): TemplateDecision =>
  (state) => {
    if (!state.standing || state.status !== 'deleting') return [];
    const status = statusAfter(state, before);
    return [{ type: 'TemplateDeletionFailed', data: { ...refusal, status } }];
  };

/** Returns the status after a failed deletion. A template that was being submitted has been accepted by now, or never will be. */
function statusAfter({ providerId }: ExistingTemplate, before: TemplateStatus): TemplateStatus {
  if (before !== 'submitting') return before;
  return providerId === undefined ? 'submit_failed' : 'pending';
}
