/** What became of a template on its way to the provider: decisions of the processor that takes it there. */
import {
  contentOf,
  type PendingEdit,
  type StandingTemplate,
  type Template,
  type TemplateDecision,
} from './template.js';
import type { TemplateCategory } from './templateDefinition.js';
import type { ProviderStatus, TemplateEvent, TemplateStatus } from './templateEvents.js';

/** Why the provider did not take something. */
export interface Refusal {
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** The provider took a template that was to be submitted, also one that is to be deleted since. */
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

/** The edit that the provider does not have yet. */
export const editToSubmit = (state: Template): PendingEdit | undefined =>
  state.standing && state.edit?.submittedAt === undefined ? state.edit : undefined;

/**
 * The provider took the edit. An approved template stays as it was until the provider has decided; any other is from now
 * on what the edit says, and under review.
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

/** From now on it says what the edit says. */
export const revised = (edit: PendingEdit): TemplateEvent => ({
  type: 'TemplateRevised',
  data: { ...contentOf(edit), by: 'edit' },
});

/** The provider has deleted it, or does not have it. */
export const recordDeleted = (): TemplateDecision => (state) =>
  state.standing && state.status === 'deleting' ? [{ type: 'TemplateRemoved', data: { by: 'deletion' } }] : [];

/** The provider refused to delete it: it is again what it was. */
export const recordDeletionFailed =
  (refusal: Refusal, before: TemplateStatus): TemplateDecision =>
  (state) => {
    if (!state.standing || state.status !== 'deleting') return [];
    const status = standsAs(state, before);
    return [{ type: 'TemplateDeletionFailed', data: { ...refusal, status } }];
  };

/** One that was on its way when its deletion was asked for has got there by now, or never will. */
function standsAs({ providerId }: StandingTemplate, before: TemplateStatus): TemplateStatus {
  if (before !== 'submitting') return before;
  return providerId === undefined ? 'submit_failed' : 'pending';
}
