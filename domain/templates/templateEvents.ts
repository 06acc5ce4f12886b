/** Stored for ever: message templates, stream `template-{templateId}`, and their comparison with the provider, `templateSync-{workspaceId}`. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Label,
  Maybe,
  Shape,
  type Stored,
  Time,
  Whole,
} from '../storedEvents.js';
import { ParameterFormat, TemplateCategory, TemplateDefinition } from './templateDefinition.js';

const PROVIDER = [
  'pending',
  'approved',
  'rejected',
  'paused',
  'disabled',
  'in_appeal',
  'pending_deletion',
  'limit_exceeded',
  'archived',
] as const;

const ProviderStatus = OneOf(...PROVIDER);
/** Status of a template at the provider. */
export type ProviderStatus = Stored<typeof ProviderStatus>;
const TemplateStatus = OneOf(...PROVIDER, 'submitting', 'submit_failed', 'deleting');
/** Status at the provider, or of a submission or deletion in progress. (Specification 2, 'Template'.) */
export type TemplateStatus = Stored<typeof TemplateStatus>;

const TemplateContent = Shape('TemplateContent', {
  category: TemplateCategory,
  definition: TemplateDefinition,
  parameterFormat: ParameterFormat,
});
/** Content of a template, and the form of its variables. */
export type TemplateContent = Stored<typeof TemplateContent>;

/** Reason of a failure. */
const failure = {
  errorCode: Code("The provider's, or the service's own."),
  errorMessage: Label('In words for the store.'),
};
const content = TemplateContent.properties;

export const templateEvents = defineEvents({
  TemplateCreated: event('The store creates a template.', { ...content, name: Label(), language: Code() }),
  TemplateFound: event('The template existed at the provider first.', {
    ...content,
    name: Label(),
    language: Code(),
    providerId: Id(),
    status: ProviderStatus,
    quality: Maybe(Code()),
    rejectedReason: Maybe(Label()),
    at: Time('Time of the request to the provider.'),
  }),
  TemplateSubmitted: event('The provider accepted the template.', {
    providerId: Id(),
    status: ProviderStatus,
    category: Maybe(TemplateCategory, 'Category assigned by the provider.'),
  }),
  TemplateSubmitFailed: event('The provider refused the template.', failure),
  TemplateResubmitted: event(
    'The store changes a template whose submission failed. The new version is submitted.',
    content,
  ),
  TemplateEditRequested: event(
    'The store edits the template. The edit takes effect after the provider accepts it.',
    content,
  ),
  TemplateEditSubmitted: event(
    'The provider accepted the edit for review. The approved version stays active until the decision.',
    {},
  ),
  TemplateEditFailed: event('The provider refused the edit.', failure),
  TemplateRevised: event('New content of the template: an accepted or reviewed edit, or a change by the provider.', {
    ...content,
    by: OneOf('edit', 'provider'),
  }),
  TemplateStatusChanged: event('The provider decides on the template, or changes its decision.', {
    status: ProviderStatus,
    before: TemplateStatus,
    at: Maybe(Time("By the provider's clock; absent when only an edit led here.")),
    rejectedReason: Maybe(Label()),
    providerId: Maybe(Id()),
  }),
  TemplateStatusConfirmed: event(
    'The provider repeated the known status at a later time. Reports with an earlier time are ignored.',
    { status: ProviderStatus, at: Time("By the provider's clock.") },
  ),
  TemplateQualityChanged: event('The provider rates the template.', {
    quality: Maybe(Code('Absent if not rated.')),
    at: Time(),
  }),
  TemplateDeletionRequested: event('The store deletes the template.', { before: TemplateStatus }),
  TemplateDeletionFailed: event('The provider refused the deletion. The template is unchanged.', {
    ...failure,
    status: TemplateStatus,
  }),
  TemplateRemoved: event('The template no longer exists: deleted by the store, or missing at the provider.', {
    by: OneOf('deletion', 'provider'),
  }),
});
export type TemplateEvent = EventsOf<typeof templateEvents>;

const startedAt = Time('Time of the request to the provider.');

export const templateSyncEvents = defineEvents({
  TemplateSyncRequested: event('The store, or a report of the provider, requests a comparison with the provider.', {
    by: OneOf('request', 'webhook'),
  }),
  TemplatesSynced: event("The store's templates were compared with the provider's.", {
    startedAt,
    templates: Whole(),
    added: Whole(),
    changed: Whole(),
    removed: Whole(),
  }),
  TemplateSyncFailed: event('The comparison failed.', { ...failure, startedAt }),
});
export type TemplateSyncEvent = EventsOf<typeof templateSyncEvents>;
