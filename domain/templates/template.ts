/** A message template of a store: its content, its status at the provider, and the store's decisions on it. */

import { type Aggregate, type Decision, refuse, type WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import {
  type CreateTemplate,
  checkDefinition,
  checkTemplate,
  formatOf,
  normalDefinition,
  sameContent,
} from './definitionRules.js';
import type { TemplateDefinition } from './templateDefinition.js';
import type { TemplateContent, TemplateEvent, TemplateStatus } from './templateEvents.js';

// Events: TemplateEvent in templateEvents.ts ---------------------------------------------------------------------

// State: only what decisions need --------------------------------------------------------------------------------
/** A change that is submitted to, or under review at, the provider. Times in ms. */
export interface PendingEdit extends TemplateContent {
  readonly requestedAt: number;
  /** Undefined: not submitted yet. */
  readonly submittedAt?: number;
}

export interface ExistingTemplate extends TemplateContent {
  readonly standing: true;
  readonly workspaceId: string | undefined;
  readonly name: string;
  readonly language: string;
  readonly status: TemplateStatus;
  /** The provider's id. `knownSince`: time (ms) since when it is known here. */
  readonly providerId?: string;
  readonly knownSince?: number;
  readonly rejectedReason?: string;
  readonly quality?: string;
  /** Time of the provider's last report of each, in ms by its clock. 0: none yet. */
  readonly statusAt: number;
  readonly qualityAt: number;
  readonly edit?: PendingEdit;
}
/** `gone`: time of removal, in ms. Undefined: never created. */
export type Template = { readonly standing: false; readonly gone: number | undefined } | ExistingTemplate;

/** Returns only the content. */
export const contentOf = ({ category, definition, parameterFormat }: TemplateContent): TemplateContent => ({
  category,
  definition,
  parameterFormat,
});

function created({ data, meta }: WithMeta<Extract<TemplateEvent, { data: { name: string } }>>): ExistingTemplate {
  const found = 'providerId' in data;
  return {
    standing: true,
    workspaceId: meta.workspaceId,
    name: data.name,
    language: data.language,
    ...contentOf(data),
    status: found ? data.status : 'submitting',
    ...(found ? { providerId: data.providerId, knownSince: Date.parse(data.at) } : {}),
    ...(found && data.quality !== undefined ? { quality: data.quality } : {}),
    ...(found && data.rejectedReason !== undefined ? { rejectedReason: data.rejectedReason } : {}),
    statusAt: found ? Date.parse(data.at) : 0,
    qualityAt: 0,
  };
}

function withoutEdit(state: ExistingTemplate): ExistingTemplate {
  const { edit: _, ...rest } = state;
  return rest;
}

function statusChanged(
  state: ExistingTemplate,
  { data, meta }: WithMeta<Extract<TemplateEvent, { type: 'TemplateStatusChanged' }>>,
): ExistingTemplate {
  const { rejectedReason: _, ...rest } = state;
  return {
    ...rest,
    status: state.status === 'deleting' ? 'deleting' : data.status,
    statusAt: data.at === undefined ? state.statusAt : Date.parse(data.at),
    ...defined({ rejectedReason: data.rejectedReason }),
    ...(data.providerId === undefined ? {} : { providerId: data.providerId, knownSince: Date.parse(meta.at) }),
  };
}

function evolve(state: Template, event: WithMeta<TemplateEvent>): Template {
  if (event.type === 'TemplateCreated' || event.type === 'TemplateFound') return created(event);
  if (!state.standing) return state;
  const at = Date.parse(event.meta.at);
  switch (event.type) {
    case 'TemplateSubmitted': {
      const { providerId, status, category = state.category } = event.data;
      const now = state.status === 'deleting' ? 'deleting' : status;
      return { ...state, providerId, category, knownSince: at, status: now };
    }
    case 'TemplateSubmitFailed':
      return { ...state, status: 'submit_failed' };
    case 'TemplateResubmitted':
      return { ...state, ...contentOf(event.data), status: 'submitting' };
    case 'TemplateEditRequested':
      return { ...state, edit: { ...contentOf(event.data), requestedAt: at } };
    case 'TemplateEditSubmitted':
      return state.edit === undefined ? state : { ...state, edit: { ...state.edit, submittedAt: at } };
    case 'TemplateEditFailed':
      return withoutEdit(state);
    case 'TemplateRevised':
      return { ...(event.data.by === 'edit' ? withoutEdit(state) : state), ...contentOf(event.data) };
    case 'TemplateStatusChanged':
      return statusChanged(state, event);
    case 'TemplateStatusConfirmed':
      return { ...state, statusAt: Date.parse(event.data.at) };
    case 'TemplateQualityChanged': {
      const { quality: _, ...rest } = state;
      const { quality } = event.data;
      return { ...rest, ...defined({ quality }), qualityAt: Date.parse(event.data.at) };
    }
    case 'TemplateDeletionRequested':
      return { ...withoutEdit(state), status: 'deleting' };
    case 'TemplateDeletionFailed':
      return { ...state, status: event.data.status };
    case 'TemplateRemoved':
      return { standing: false, gone: at };
  }
}

/** Stream `template-{templateId}`. */
export const template: Aggregate<Template, TemplateEvent> = {
  name: 'template',
  initial: () => ({ standing: false, gone: undefined }),
  evolve,
  weigh: (state) => (state.standing ? 8_000 : 200),
};

// Decisions of the store -----------------------------------------------------------------------------------------
export type TemplateDecision = Decision<Template, TemplateEvent>;

/** Returns the store's template. Refuses `not_found`, also for another store's template. */
export const templateIn = (state: Template, workspaceId: string): ExistingTemplate =>
  state.standing && state.workspaceId === workspaceId
    ? state
    : refuse('not_found', 'The store has no such message template.');

/** Creates the template, which is then submitted to the provider. Repeating it changes nothing. */
export const createTemplate =
  (command: CreateTemplate): TemplateDecision =>
  (state) => {
    checkTemplate(command);
    if (state.standing || state.gone !== undefined) return [];
    const { name, language, category } = command;
    const definition = normalDefinition(command.definition, { category });
    return [
      {
        type: 'TemplateCreated',
        data: { name, language, category, definition, parameterFormat: formatOf(definition) },
      },
    ];
  };

export interface EditTemplate {
  readonly definition: TemplateDefinition;
  readonly category?: 'marketing' | 'utility';
}

/** Statuses in which the provider accepts edits. A template that was never accepted is submitted again. */
const EDITABLE: readonly TemplateStatus[] = ['approved', 'rejected', 'paused', 'submit_failed'];

const notEditable = (detail: string): never => refuse('template_not_editable', detail);

/** Returns the content after the edit. Refuses `template_not_editable` and `validation_failed`. */
function editedContent(state: ExistingTemplate, { definition, category = undefined }: EditTemplate): TemplateContent {
  if (!EDITABLE.includes(state.status))
    notEditable(
      `A template with the status ${state.status} cannot be edited. Editable statuses: ${EDITABLE.join(', ')}.`,
    );
  if ((state.definition.unsupported?.length ?? 0) > 0)
    notEditable('The template has parts that can only be edited at the provider.');
  if (category !== undefined && category !== state.category) {
    if (state.status === 'approved') notEditable('The category of an approved template cannot be changed.');
    if (state.category === 'authentication') notEditable('An authentication template keeps its category.');
  }
  const requested = category ?? state.category;
  const known = { category: requested, current: state.definition };
  checkDefinition(definition, known);
  const normal = normalDefinition(definition, known);
  return { category: requested, definition: normal, parameterFormat: formatOf(normal) };
}

const isSame = (one: TemplateContent, other: TemplateContent): boolean =>
  one.category === other.category && sameContent(one.definition, other.definition);

/**
 * Edits the content, at the provider first: an approved template does not change until the provider has approved the edit. Refuses
 * `not_found`, `template_not_editable` and `validation_failed`. An edit without changes, or equal to the pending one, leads to no event.
 */
export const editTemplate =
  (workspaceId: string, command: EditTemplate): TemplateDecision =>
  (state) => {
    const existing = templateIn(state, workspaceId);
    const content = editedContent(existing, command);
    if (existing.status === 'submit_failed') return [{ type: 'TemplateResubmitted', data: content }];
    if (isSame(content, existing.edit ?? existing)) return [];
    if (existing.edit !== undefined)
      notEditable('The provider has not reviewed the previous edit of this template yet.');
    return [{ type: 'TemplateEditRequested', data: content }];
  };

/** Requests deletion at the provider. A template that was never accepted is removed at once. Repeating it changes nothing. */
export const deleteTemplate =
  (workspaceId: string): TemplateDecision =>
  (state) => {
    const { status, providerId } = templateIn(state, workspaceId);
    if (status === 'deleting') return [];
    const requested: TemplateEvent = { type: 'TemplateDeletionRequested', data: { before: status } };
    const never = status === 'submit_failed' && providerId === undefined;
    return never ? [requested, { type: 'TemplateRemoved', data: { by: 'deletion' } }] : [requested];
  };
