/**
 * Reports of the provider about a template: by webhook (late, repeated and in any order), or in a list (sync). The provider is the source
 * of truth. A report that is older by the provider's clock never overrides a newer one.
 */
import { defined } from '../defined.js';
import { isAsRequested, sameContent } from './definitionRules.js';
import {
  contentOf,
  type ExistingTemplate,
  type PendingEdit,
  type Template,
  type TemplateDecision,
} from './template.js';
import type { TemplateDefinition } from './templateDefinition.js';
import type { ProviderStatus, TemplateContent, TemplateEvent } from './templateEvents.js';
import { revised } from './templateProgress.js';

/** A template in the provider's list. */
export interface ListedTemplate extends TemplateContent {
  readonly providerId: string;
  readonly name: string;
  readonly language: string;
  /** `deleted`: it is listed although it was removed. */
  readonly status: ProviderStatus | 'deleted';
  readonly quality?: string;
  readonly rejectedReason?: string;
}

/** A status that the provider reported by webhook. `at`: ms by its clock, in whole seconds. */
export interface ReportedStatus {
  readonly providerId: string;
  readonly status: ProviderStatus | 'deleted';
  readonly at: number;
  readonly rejectedReason?: string;
}

/** Tolerance for the provider's clock, in ms. */
const SKEW_MS = 120_000;

/** Rounds down to whole seconds, in ms, for comparing with the provider's times. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;
const isoOf = (ms: number): string => new Date(ms).toISOString();
const removed: TemplateEvent = { type: 'TemplateRemoved', data: { by: 'provider' } };

/** Returns true if a template may be the provider's `providerId`. A template that was not accepted yet has no id. */
export const isAbout = (state: Template, providerId: string): state is ExistingTemplate =>
  state.standing && (state.providerId ?? providerId) === providerId;

/** Returns true if a status is not older than the known one. */
const isNews = ({ statusAt }: ExistingTemplate, at: number): boolean => at >= wholeSecond(statusAt);

const decidesEdit = (state: ExistingTemplate, edit: PendingEdit, at: number): boolean =>
  at >= edit.requestedAt - SKEW_MS && (at > state.statusAt || at >= wholeSecond(edit.requestedAt));

/** Returns the events of a status, without those of an edit that takes effect. */
function changed(
  state: ExistingTemplate,
  status: ProviderStatus,
  { at, rejectedReason, providerId }: { at: number; rejectedReason?: string | undefined; providerId: string },
): TemplateEvent[] {
  const reason = status === 'rejected' ? rejectedReason : undefined;
  const known = state.providerId !== undefined;
  if (known && state.status === status && state.rejectedReason === reason) return [];
  return [
    {
      type: 'TemplateStatusChanged',
      data: {
        status,
        before: state.status,
        at: isoOf(at),
        ...defined({ rejectedReason: reason }),
        ...(known ? {} : { providerId }),
      },
    },
  ];
}

/**
 * Returns true if the status is about a pending edit. The provider reports an approved template as pending while its edit is reviewed, but
 * the approved content remains in force.
 */
const isReviewOfEdit = ({ status, edit }: ExistingTemplate, reported: ProviderStatus): boolean =>
  status === 'approved' && edit !== undefined && reported === 'pending';

/** Records a status that the provider reported. An older status, or one of another template, leads to no event. */
export const takeStatus =
  (reported: ReportedStatus): TemplateDecision =>
  (state) => {
    if (!isAbout(state, reported.providerId) || !isNews(state, reported.at)) return [];
    if (reported.status === 'deleted') return [removed];
    const { status, edit } = state;
    if (status === 'deleting' || isReviewOfEdit(state, reported.status)) return [];
    const decided =
      edit?.submittedAt !== undefined && (reported.status === 'approved' || reported.status === 'rejected');
    if (decided && !decidesEdit(state, edit, reported.at)) return [];
    const events = [...(decided ? [revised(edit)] : []), ...changed(state, reported.status, reported)];
    const confirms = events.length === 0 && reported.at > state.statusAt;
    return confirms
      ? [{ type: 'TemplateStatusConfirmed', data: { status: reported.status, at: isoOf(reported.at) } }]
      : events;
  };

/** Records a quality rating. `at`: as in `StatusReport`. */
export const takeQuality =
  ({ providerId, quality, at }: { providerId: string; quality: string | undefined; at: number }): TemplateDecision =>
  (state) => {
    if (!isAbout(state, providerId) || at < wholeSecond(state.qualityAt) || state.quality === quality) return [];
    return [{ type: 'TemplateQualityChanged', data: { ...defined({ quality }), at: isoOf(at) } }];
  };

/** Adds the sample file that is known here, since the provider returns only its own copy. */
function withSample(listed: TemplateDefinition, known: TemplateDefinition): TemplateDefinition {
  const sampleFileId = known.header?.sampleFileId;
  if (listed.header === undefined || sampleFileId === undefined || listed.header.format !== known.header?.format)
    return listed;
  return { ...listed, header: { ...listed.header, sampleFileId } };
}

const differs = (state: ExistingTemplate, listed: ListedTemplate): boolean =>
  state.category !== listed.category ||
  state.parameterFormat !== listed.parameterFormat ||
  !sameContent(state.definition, listed.definition);

const byProvider = (state: ExistingTemplate, listed: ListedTemplate) =>
  ({
    type: 'TemplateRevised',
    data: { ...contentOf(listed), definition: withSample(listed.definition, state.definition), by: 'provider' },
  }) satisfies TemplateEvent;

/** Returns the events of a listed template with a submitted edit: decided, or not yet. */
function editObserved(state: ExistingTemplate, edit: PendingEdit, listed: ListedTemplate, at: number): TemplateEvent[] {
  if (edit.submittedAt === undefined || at < edit.submittedAt || listed.status === 'deleted') return [];
  // The provider lists the edited content, and not as pending: the edit was approved, whatever happened afterwards.
  const isReviewed = listed.status !== 'pending' && isAsRequested(listed.category, edit.definition, listed.definition);
  if (isReviewed || listed.status === 'rejected')
    return [revised(edit), ...changed(state, listed.status, { ...listed, at })];
  return isReviewOfEdit(state, listed.status) || listed.status === 'approved'
    ? []
    : changed(state, listed.status, { ...listed, at });
}

/** Returns true if the provider retains a template of this status. */
export const isRetained = (status: ListedTemplate['status']): status is Exclude<ProviderStatus, 'pending_deletion'> =>
  status !== 'deleted' && status !== 'pending_deletion';

/** Records an unknown template of the provider, unless the provider has deleted it. */
function found({ status, ...listed }: ListedTemplate, at: number): TemplateEvent[] {
  if (!isRetained(status)) return [];
  return [{ type: 'TemplateFound', data: { ...listed, status, at: isoOf(at) } }];
}

/** Records a template of the provider's list. `at`: time of the request, in ms. */
export const takeListed =
  (listed: ListedTemplate, at: number): TemplateDecision =>
  (state) => {
    if (!state.standing) return (state.gone ?? 0) < at ? found(listed, at) : [];
    if (state.status === 'deleting' || at < state.statusAt) return [];
    if (listed.status === 'deleted') return [removed];
    const rated = takeQuality({ providerId: state.providerId ?? listed.providerId, quality: listed.quality, at })(
      state,
    );
    if (state.edit !== undefined) return [...editObserved(state, state.edit, listed, at), ...rated];
    return [
      ...(differs(state, listed) ? [byProvider(state, listed)] : []),
      ...changed(state, listed.status, { ...listed, at }),
      ...rated,
    ];
  };

/** Records that a template is missing in the provider's list. `at`: time of the request, in ms. */
export const takeMissing =
  (at: number): TemplateDecision =>
  (state) => {
    const had = state.standing && state.providerId !== undefined && (state.knownSince ?? at) < at;
    return had && state.status !== 'deleting' ? [removed] : [];
  };
