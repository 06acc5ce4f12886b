/** The channel's message templates at their provider. (shared reference: 'Message templates'.) */
import type { Readable } from 'node:stream';
import type { TemplateCategory } from '../../domain/templates/templateDefinition.js';
import type { ProviderStatus, TemplateContent } from '../../domain/templates/templateEvents.js';
import type { ListedTemplate } from '../../domain/templates/templateReports.js';

/** Business account of templates, and its bearer token. Undefined: the service's own. */
export interface TemplateAccount {
  readonly businessAccountId: string;
  readonly accessToken: string | undefined;
}

/** A template to submit. `sampleHandle`: handle of the header's sample, from `uploadSample`. */
export interface SubmittedTemplate extends TemplateContent {
  readonly name: string;
  readonly language: string;
  readonly sampleHandle?: string | undefined;
}

export interface SampleFile {
  readonly filename: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  content(): Promise<Readable>;
}

/** Each call is bounded in time by the adapter and throws `ProviderError` (catalogProvider.ts). */
export interface TemplateProvider {
  create(
    account: TemplateAccount,
    template: SubmittedTemplate,
    signal?: AbortSignal,
  ): Promise<{ providerId: string; status: ProviderStatus; category?: TemplateCategory }>;
  /** Submits an edit. Acceptance is not approval: the template is reviewed again. */
  edit(
    account: TemplateAccount,
    providerId: string,
    content: TemplateContent & Pick<SubmittedTemplate, 'sampleHandle'>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Removes one language of a name. */
  remove(
    account: TemplateAccount,
    template: { readonly providerId: string; readonly name: string },
    signal?: AbortSignal,
  ): Promise<void>;
  /** Returns all templates of the account, page by page. */
  list(account: TemplateAccount, signal?: AbortSignal): Promise<readonly ListedTemplate[]>;
  /** Undefined: the provider has none with this name in this language. Throws `template_unreadable` if it has one that cannot be read. */
  find(
    account: TemplateAccount,
    named: { readonly name: string; readonly language: string },
    signal?: AbortSignal,
  ): Promise<ListedTemplate | undefined>;
  /** Uploads a header's sample for the provider's reviewers. Returns its handle. */
  uploadSample(account: TemplateAccount, file: SampleFile, signal?: AbortSignal): Promise<string>;
}
