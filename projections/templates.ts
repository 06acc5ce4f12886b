import { defined } from '../domain/defined.js';
import { contentOf } from '../domain/templates/template.js';
import type { TemplateContent, TemplateEvent, TemplateStatus } from '../domain/templates/templateEvents.js';
import { defineProjection, type Evolve, type View } from '../engine/projections/projection.js';

/** The API's `TemplateBody` without `syncedAt`, which is the store's: put in when read. (Specification 2, 'Template'.) */
export interface TemplateBody extends TemplateContent {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly status: TemplateStatus;
  /** An edit is on its way to the provider, or, of an approved template, is being reviewed there. */
  readonly editPending: boolean;
  readonly quality?: string;
  readonly rejectedReason?: string;
  /** Error of the last submission, edit or deletion that failed. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type TemplateView = View<TemplateBody>;
type Change = Partial<TemplateBody>;

/** The view with other values; undefined takes one away. */
function changed(view: TemplateView | undefined, at: string, change: { [K in keyof Change]: Change[K] | undefined }) {
  if (view === undefined) return undefined;
  return { keys: view.keys, body: defined({ ...view.body, ...change, updatedAt: at }) as TemplateBody };
}

const WITHOUT_ERROR = { errorCode: undefined, errorMessage: undefined };
/** The provider has it from now on; that is what syncs are compared with. */
const knownSince = (view: TemplateView | undefined, at: string): TemplateView | undefined =>
  view && { ...view, keys: { ...view.keys, knownSince: Date.parse(at) } };

type Of<T extends TemplateEvent['type']> = Extract<TemplateEvent, { type: T }>;
type Handled<T extends TemplateEvent['type']> = Evolve<TemplateBody, Of<T>>;

/** Documents of a template are the store's: another store's id names nothing. */
const of = <T extends TemplateEvent['type']>(evolve: Handled<T>) => ({
  ids: ({ meta, streamId }: { meta: { workspaceId?: string }; streamId: string }): readonly string[] => [
    `${meta.workspaceId}/${streamId}`,
  ],
  evolve,
});

const begin = of<'TemplateCreated' | 'TemplateFound'>((_, { data, meta, streamId }) => {
  const { name, language } = data;
  const found = 'status' in data ? data : undefined;
  const keys = {
    workspaceId: meta.workspaceId ?? null,
    name,
    language,
    knownSince: found ? Date.parse(found.at) : null,
  };
  const body: TemplateBody = {
    id: streamId,
    name,
    language,
    ...contentOf(data),
    status: found?.status ?? 'submitting',
    editPending: false,
    ...defined({ quality: found?.quality, rejectedReason: found?.rejectedReason }),
    createdAt: meta.at,
    updatedAt: meta.at,
  };
  return { keys, body };
});

/** One document a template, `{workspaceId}/{templateId}`: a store's by name, then language. */
export const templates = defineProjection<TemplateBody, TemplateEvent>({
  name: 'templates',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['template'],
  /** `knownSince`: since when the provider has it, as far as is known here, in ms. */
  keys: { workspaceId: 'text', name: 'text', language: 'text', knownSince: 'number' },
  indexes: [{ keys: ['workspaceId', 'name', 'language'] }],
  on: {
    TemplateCreated: begin,
    TemplateFound: begin,
    TemplateSubmitted: of<'TemplateSubmitted'>((view, { data, meta }) => {
      if (view === undefined) return undefined;
      const { category, status: now } = view.body;
      const status = now === 'deleting' ? now : data.status;
      const change = { ...WITHOUT_ERROR, status, category: data.category ?? category };
      return knownSince(changed(view, meta.at, change), meta.at);
    }),
    TemplateSubmitFailed: of<'TemplateSubmitFailed'>((view, { data, meta }) =>
      changed(view, meta.at, { ...data, status: 'submit_failed' }),
    ),
    TemplateResubmitted: of<'TemplateResubmitted'>((view, { data, meta }) =>
      changed(view, meta.at, { ...contentOf(data), ...WITHOUT_ERROR, status: 'submitting' }),
    ),
    TemplateEditRequested: of<'TemplateEditRequested'>((view, { meta }) =>
      changed(view, meta.at, { ...WITHOUT_ERROR, editPending: true }),
    ),
    TemplateEditFailed: of<'TemplateEditFailed'>((view, { data, meta }) =>
      changed(view, meta.at, { ...data, editPending: false }),
    ),
    TemplateRevised: of<'TemplateRevised'>((view, { data, meta }) =>
      changed(view, meta.at, { ...contentOf(data), ...(data.by === 'edit' && { editPending: false }) }),
    ),
    TemplateStatusChanged: of<'TemplateStatusChanged'>((view, { data, meta }) => {
      const { status, rejectedReason, providerId } = data;
      const now = view?.body.status === 'deleting' ? 'deleting' : status;
      const after = changed(view, meta.at, { ...WITHOUT_ERROR, status: now, rejectedReason });
      return providerId === undefined ? after : knownSince(after, meta.at);
    }),
    TemplateQualityChanged: of<'TemplateQualityChanged'>((view, { data, meta }) =>
      changed(view, meta.at, { quality: data.quality }),
    ),
    TemplateDeletionRequested: of<'TemplateDeletionRequested'>((view, { meta }) =>
      changed(view, meta.at, { ...WITHOUT_ERROR, status: 'deleting', editPending: false }),
    ),
    TemplateDeletionFailed: of<'TemplateDeletionFailed'>((view, { data, meta }) => changed(view, meta.at, data)),
    TemplateRemoved: of<'TemplateRemoved'>(() => undefined),
  },
});
