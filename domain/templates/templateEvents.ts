/** Stored for ever: message templates, stream `template-{templateId}`, and their comparison with the provider, `templateSync-{workspaceId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';
import type { ParameterFormat, TemplateCategory, TemplateDefinition } from './templateDefinition.js';

/** What the provider says of a template. */
export type ProviderStatus =
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'paused'
  | 'disabled'
  | 'in_appeal'
  | 'pending_deletion'
  | 'limit_exceeded'
  | 'archived';
/** The rest is on its way: to the provider, or away from it. (Specification 2, 'Template'.) */
export type TemplateStatus = ProviderStatus | 'submitting' | 'submit_failed' | 'deleting';

/** What is said, and in which form its variables are. */
export interface TemplateContent {
  readonly category: TemplateCategory;
  readonly definition: TemplateDefinition;
  readonly parameterFormat: ParameterFormat;
}

/** Why something did not come about: the provider's code, or the service's own, and words for the store. */
interface Failure {
  readonly errorCode: string;
  readonly errorMessage: string;
}

export type TemplateEvent =
  | DomainEvent<'TemplateCreated', TemplateContent & { name: string; language: string }>
  /** It was at the provider before it was here. `at`: RFC 3339, when the provider was asked. */
  | DomainEvent<
      'TemplateFound',
      TemplateContent & {
        name: string;
        language: string;
        providerId: string;
        status: ProviderStatus;
        quality?: string;
        rejectedReason?: string;
        at: string;
      }
    >
  /** The provider took it. */
  | DomainEvent<'TemplateSubmitted', { providerId: string; status: ProviderStatus; category?: TemplateCategory }>
  | DomainEvent<'TemplateSubmitFailed', Failure>
  /** One whose submission failed is submitted again, as it is said now. */
  | DomainEvent<'TemplateResubmitted', TemplateContent>
  /** To be changed at the provider; until it is, everything stays as it was. */
  | DomainEvent<'TemplateEditRequested', TemplateContent>
  /** The provider took the change. What was approved stays in force until the provider has decided. */
  | DomainEvent<'TemplateEditSubmitted', Readonly<Record<string, never>>>
  | DomainEvent<'TemplateEditFailed', Failure>
  /** From now on it says this: an edit that the provider took or decided on, or the provider's own change. */
  | DomainEvent<'TemplateRevised', TemplateContent & { by: 'edit' | 'provider' }>
  /** `at`: RFC 3339, by the provider's clock; absent when only an edit led here. */
  | DomainEvent<
      'TemplateStatusChanged',
      { status: ProviderStatus; before: TemplateStatus; at?: string; rejectedReason?: string; providerId?: string }
    >
  /** The provider said again, later, what was known: what it said in between comes too late. `at`: as above. */
  | DomainEvent<'TemplateStatusConfirmed', { status: ProviderStatus; at: string }>
  /** No `quality`: not rated. */
  | DomainEvent<'TemplateQualityChanged', { quality?: string; at: string }>
  | DomainEvent<'TemplateDeletionRequested', { before: TemplateStatus }>
  /** It is as it was before. */
  | DomainEvent<'TemplateDeletionFailed', Failure & { status: TemplateStatus }>
  /** It is gone: deleted from here, or found missing at the provider. */
  | DomainEvent<'TemplateRemoved', { by: 'deletion' | 'provider' }>;

export type TemplateSyncEvent =
  | DomainEvent<'TemplateSyncRequested', { by: 'request' | 'webhook' }>
  /** `startedAt`: RFC 3339, when the provider was asked. */
  | DomainEvent<
      'TemplatesSynced',
      { startedAt: string; templates: number; added: number; changed: number; removed: number }
    >
  | DomainEvent<'TemplateSyncFailed', Failure & { startedAt: string }>;
