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
  TemplateCreated: event('The store makes a template.', { ...content, name: Label(), language: Code() }),
  TemplateFound: event('It was at the provider before it was here.', {
    ...content,
    name: Label(),
    language: Code(),
    providerId: Id(),
    status: ProviderStatus,
    quality: Maybe(Code()),
    rejectedReason: Maybe(Label()),
    at: Time('When the provider was asked.'),
  }),
  TemplateSubmitted: event('The provider took it.', {
    providerId: Id(),
    status: ProviderStatus,
    category: Maybe(TemplateCategory, 'The one that the provider put it in.'),
  }),
  TemplateSubmitFailed: event('The provider did not take it.', failure),
  TemplateResubmitted: event(
    'The store changes one whose submission failed: it is submitted again, as it is said now.',
    content,
  ),
  TemplateEditRequested: event(
    'The store changes it: to be changed at the provider; until it is, everything stays as it was.',
    content,
  ),
  TemplateEditSubmitted: event(
    'The provider took the change. What was approved stays in force until the provider has decided.',
    {},
  ),
  TemplateEditFailed: event('The provider did not take the change.', failure),
  TemplateRevised: event('From now on it says this: an edit that the provider took or decided on, or its own change.', {
    ...content,
    by: OneOf('edit', 'provider'),
  }),
  TemplateStatusChanged: event('The provider decides, or changes its mind.', {
    status: ProviderStatus,
    before: TemplateStatus,
    at: Maybe(Time("By the provider's clock; absent when only an edit led here.")),
    rejectedReason: Maybe(Label()),
    providerId: Maybe(Id()),
  }),
  TemplateStatusConfirmed: event(
    'The provider said again, later, what was known: what it said in between comes too late.',
    { status: ProviderStatus, at: Time("By the provider's clock.") },
  ),
  TemplateQualityChanged: event('The provider rates it.', {
    quality: Maybe(Code('Absent: not rated.')),
    at: Time(),
  }),
  TemplateDeletionRequested: event('The store deletes it.', { before: TemplateStatus }),
  TemplateDeletionFailed: event('The provider did not delete it: it is as it was before.', {
    ...failure,
    status: TemplateStatus,
  }),
  TemplateRemoved: event('It is gone: deleted from here, or found missing at the provider.', {
    by: OneOf('deletion', 'provider'),
  }),
});
export type TemplateEvent = EventsOf<typeof templateEvents>;

const startedAt = Time('When the provider was asked.');

export const templateSyncEvents = defineEvents({
  TemplateSyncRequested: event("The store, or a message of the provider, asks for a comparison with the provider's.", {
    by: OneOf('request', 'webhook'),
  }),
  TemplatesSynced: event("The store's templates were compared with the provider's.", {
    startedAt,
    templates: Whole(),
    added: Whole(),
    changed: Whole(),
    removed: Whole(),
  }),
  TemplateSyncFailed: event('They could not be compared.', { ...failure, startedAt }),
});
export type TemplateSyncEvent = EventsOf<typeof templateSyncEvents>;
