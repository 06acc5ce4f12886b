/**
 * What the provider tells of a template: by itself (webhooks, late, twice and in any order), or when it is asked (sync).
 * The provider is the source of truth; what it said earlier by its own clock changes nothing that it said later.
 */
import { defined } from '../defined.js';
import { isAsAsked, sameContent } from './definitionRules.js';
import {
  contentOf,
  type PendingEdit,
  type StandingTemplate,
  type Template,
  type TemplateDecision,
} from './template.js';
import type { TemplateDefinition } from './templateDefinition.js';
import type { ProviderStatus, TemplateContent, TemplateEvent } from './templateEvents.js';
import { revised } from './templateProgress.js';

/** A template as the provider lists it. */
export interface ListedTemplate extends TemplateContent {
  readonly providerId: string;
  readonly name: string;
  readonly language: string;
  /** `deleted`: it is listed although it is gone. */
  readonly status: ProviderStatus | 'deleted';
  readonly quality?: string;
  readonly rejectedReason?: string;
}

/** A status that the provider told by itself. `at`: ms by its clock, of whole seconds. */
export interface ToldStatus {
  readonly providerId: string;
  readonly status: ProviderStatus | 'deleted';
  readonly at: number;
  readonly rejectedReason?: string;
}

/** How far the provider's clock may be behind this one, in ms. */
const SKEW_MS = 120_000;

/** The provider's times are of whole seconds: what is compared with them is too. ms. */
export const wholeSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;
const isoOf = (ms: number): string => new Date(ms).toISOString();
const removed: TemplateEvent = { type: 'TemplateRemoved', data: { by: 'provider' } };

/** Whether a template here is the provider's `providerId`, as far as is known: one on its way has no id yet. */
export const isAbout = (state: Template, providerId: string): state is StandingTemplate =>
  state.standing && (state.providerId ?? providerId) === providerId;

/** A status that is later than the one known. A decision on an edit is not the approval of what was before it. */
const isNews = ({ statusAt }: StandingTemplate, at: number): boolean => at >= wholeSecond(statusAt);

const decidesEdit = (state: StandingTemplate, edit: PendingEdit, at: number): boolean =>
  at >= edit.requestedAt - SKEW_MS && (at > state.statusAt || at >= wholeSecond(edit.requestedAt));

/** What a status leads to, besides an edit's becoming what is said. */
function changed(
  state: StandingTemplate,
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

/** While an edit of an approved template is reviewed the provider calls it pending; what was approved stays in force. */
const isReviewOfEdit = ({ status, edit }: StandingTemplate, told: ProviderStatus): boolean =>
  status === 'approved' && edit !== undefined && told === 'pending';

/** Takes a status that the provider told by itself. An older one, and one of another template, change nothing. */
export const takeStatus =
  (told: ToldStatus): TemplateDecision =>
  (state) => {
    if (!isAbout(state, told.providerId) || !isNews(state, told.at)) return [];
    if (told.status === 'deleted') return [removed];
    const { status, edit } = state;
    if (status === 'deleting' || isReviewOfEdit(state, told.status)) return [];
    const decided = edit?.submittedAt !== undefined && (told.status === 'approved' || told.status === 'rejected');
    if (decided && !decidesEdit(state, edit, told.at)) return [];
    const events = [...(decided ? [revised(edit)] : []), ...changed(state, told.status, told)];
    const confirms = events.length === 0 && told.at > state.statusAt;
    return confirms ? [{ type: 'TemplateStatusConfirmed', data: { status: told.status, at: isoOf(told.at) } }] : events;
  };

/** Takes a rating. `at`: as of a status. */
export const takeQuality =
  ({ providerId, quality, at }: { providerId: string; quality: string | undefined; at: number }): TemplateDecision =>
  (state) => {
    if (!isAbout(state, providerId) || at < wholeSecond(state.qualityAt) || state.quality === quality) return [];
    return [{ type: 'TemplateQualityChanged', data: { ...defined({ quality }), at: isoOf(at) } }];
  };

/** With the sample file that is known here: the provider shows only what it made of it. */
function withSample(listed: TemplateDefinition, known: TemplateDefinition): TemplateDefinition {
  const sampleFileId = known.header?.sampleFileId;
  if (listed.header === undefined || sampleFileId === undefined || listed.header.format !== known.header?.format)
    return listed;
  return { ...listed, header: { ...listed.header, sampleFileId } };
}

const differs = (state: StandingTemplate, listed: ListedTemplate): boolean =>
  state.category !== listed.category ||
  state.parameterFormat !== listed.parameterFormat ||
  !sameContent(state.definition, listed.definition);

const byProvider = (state: StandingTemplate, listed: ListedTemplate) =>
  ({
    type: 'TemplateRevised',
    data: { ...contentOf(listed), definition: withSample(listed.definition, state.definition), by: 'provider' },
  }) satisfies TemplateEvent;

/** What the list says of an edit that the provider has: decided, or not yet. */
function editObserved(state: StandingTemplate, edit: PendingEdit, listed: ListedTemplate, at: number): TemplateEvent[] {
  if (edit.submittedAt === undefined || at < edit.submittedAt || listed.status === 'deleted') return [];
  // What was asked for stands there, and not for review: it was approved, whatever came after that.
  const stands = listed.status !== 'pending' && isAsAsked(listed.category, edit.definition, listed.definition);
  if (stands || listed.status === 'rejected')
    return [revised(edit), ...changed(state, listed.status, { ...listed, at })];
  return isReviewOfEdit(state, listed.status) || listed.status === 'approved'
    ? []
    : changed(state, listed.status, { ...listed, at });
}

/** Whether the provider keeps a template of this status, and has not given it up. */
export const isKept = (status: ListedTemplate['status']): status is Exclude<ProviderStatus, 'pending_deletion'> =>
  status !== 'deleted' && status !== 'pending_deletion';

/** One that is not known here appears; one that the provider has given up does not. */
function found({ status, ...listed }: ListedTemplate, at: number): TemplateEvent[] {
  if (!isKept(status)) return [];
  return [{ type: 'TemplateFound', data: { ...listed, status, at: isoOf(at) } }];
}

/** Takes a template as the provider lists it; `at`: when it was asked, in ms. */
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

/** One that the provider has had and has not any more; `at`: when it was asked, in ms. */
export const takeMissing =
  (at: number): TemplateDecision =>
  (state) => {
    const had = state.standing && state.providerId !== undefined && (state.knownSince ?? at) < at;
    return had && state.status !== 'deleting' ? [removed] : [];
  };
