import { expect } from 'chai';
import fc from 'fast-check';
import {
  createTemplate,
  deleteTemplate,
  type ExistingTemplate,
  editTemplate,
  type Template,
  template,
} from '../../domain/templates/template.js';
import type { TemplateDefinition } from '../../domain/templates/templateDefinition.js';
import type { ProviderStatus, TemplateEvent, TemplateStatus } from '../../domain/templates/templateEvents.js';
import {
  recordDeleted,
  recordDeletionFailed,
  recordEditSubmitted,
  recordSubmitFailed,
  recordSubmitted,
} from '../../domain/templates/templateProgress.js';
import { takeListed, takeMissing, takeStatus } from '../../domain/templates/templateReports.js';
import { requestSync, templateSync } from '../../domain/templates/templateSync.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { type TemplateBody, templates } from '../../projections/templates.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const ID = '00000000-0000-4000-8000-0000000000a1';
const message = (text: string): TemplateDefinition => ({ body: { text } });
const fields = { name: 'hello', language: 'en', category: 'utility', definition: message('Hello') } as const;
const content = (text: string) =>
  ({ category: 'utility', definition: message(text), parameterFormat: 'positional' }) as const;
const refusal = { errorCode: '100', errorMessage: 'No.' };

const created: TemplateEvent = {
  type: 'TemplateCreated',
  data: { name: 'hello', language: 'en', ...content('Hello') },
};
const submitted: TemplateEvent = { type: 'TemplateSubmitted', data: { providerId: '7', status: 'pending' } };
const became = (status: ProviderStatus, at = '2026-03-01T09:00:10.000Z'): TemplateEvent => ({
  type: 'TemplateStatusChanged',
  data: { status, before: 'pending', at },
});
const approved = [created, submitted, became('approved')];

/** Like `stateAfter`, for events of the store. */
const stateOf = (...events: readonly TemplateEvent[]): Template =>
  events.reduce<Template>(
    (state, event) => template.evolve(state, { ...event, meta: { ...specMeta, workspaceId: STORE } }),
    template.initial(),
  );
const decide = (decision: (state: Template) => readonly TemplateEvent[], ...events: readonly TemplateEvent[]) =>
  decision(stateOf(...events));
const existing = (state: Template): ExistingTemplate => (state.standing ? state : expect.fail('it is gone'));
const edit = (text: string) => editTemplate(STORE, { definition: message(text) });
const codeOf = (run: () => unknown): string => {
  try {
    return JSON.stringify(run());
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a template of a store', () => {
  it('is created once', () => {
    given(template).when(createTemplate(fields)).then([created]);
    given(template, created).when(createTemplate(fields)).then([]);
  });

  it('is edited only in statuses in which the provider accepts edits, one edit at a time', () => {
    const states: readonly [TemplateStatus, string][] = [
      ['approved', 'TemplateEditRequested'],
      ['rejected', 'TemplateEditRequested'],
      ['paused', 'TemplateEditRequested'],
      ['pending', 'template_not_editable'],
      ['disabled', 'template_not_editable'],
      ['in_appeal', 'template_not_editable'],
      ['limit_exceeded', 'template_not_editable'],
      ['archived', 'template_not_editable'],
      ['pending_deletion', 'template_not_editable'],
    ];
    for (const [status, outcome] of states) {
      const events = [created, submitted, became(status as ProviderStatus)];
      expect([status, codeOf(() => decide(edit('New'), ...events)[0]?.type)]).to.deep.equal([
        status,
        outcome.startsWith('T') ? `"${outcome}"` : outcome,
      ]);
    }
    const requested: TemplateEvent = { type: 'TemplateEditRequested', data: content('New') };
    expect(codeOf(() => decide(edit('Newer'), ...approved, requested))).to.equal('template_not_editable');
    expect(codeOf(() => decide(edit('New'), created))).to.equal('template_not_editable');
    expect(decide(edit('Hello'), ...approved)).to.deep.equal([]);
  });

  it('keeps its category once it is approved', () => {
    const marketing = editTemplate(STORE, { definition: message('New'), category: 'marketing' });
    expect(codeOf(() => decide(marketing, ...approved))).to.equal('template_not_editable');
    const [requested] = decide(marketing, created, submitted, became('rejected'));
    expect(requested?.data).to.include({ category: 'marketing' });
  });

  it('is submitted again when its submission failed', () => {
    const failed: TemplateEvent = { type: 'TemplateSubmitFailed', data: refusal };
    expect(decide(edit('Hello'), created, failed)).to.deep.equal([
      { type: 'TemplateResubmitted', data: content('Hello') },
    ]);
    expect(decide(recordSubmitFailed(refusal), created, failed)).to.deep.equal([]);
  });

  it('that is rejected or paused changes as soon as the provider has the edit', () => {
    const requested: TemplateEvent = { type: 'TemplateEditRequested', data: content('New') };
    const events = decide(recordEditSubmitted(), created, submitted, became('rejected'), requested);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'TemplateEditSubmitted',
      'TemplateRevised',
      'TemplateStatusChanged',
    ]);
    const state = existing(stateOf(created, submitted, became('rejected'), requested, ...events));
    expect(state)
      .to.deep.include({ status: 'pending', definition: message('New') })
      .and.not.have.property('edit');
  });

  it('is removed when the provider has deleted it, and otherwise keeps its status', () => {
    const deleting = decide(deleteTemplate(STORE), ...approved);
    expect(deleting).to.deep.equal([{ type: 'TemplateDeletionRequested', data: { before: 'approved' } }]);
    const events = [...approved, ...deleting];
    expect(decide(deleteTemplate(STORE), ...events)).to.deep.equal([]);
    expect(decide(recordDeleted(), ...events)).to.deep.equal([{ type: 'TemplateRemoved', data: { by: 'deletion' } }]);
    expect(decide(recordDeleted(), ...approved)).to.deep.equal([]);
    const failed = decide(recordDeletionFailed(refusal, 'approved'), ...events);
    expect(existing(stateOf(...events, ...failed)).status).to.equal('approved');
    const never = [created, ...decide(deleteTemplate(STORE), created)];
    const unsent = decide(recordDeletionFailed(refusal, 'submitting'), ...never);
    expect(existing(stateOf(...never, ...unsent)).status).to.equal('submit_failed');
  });

  it('with a failed submission is removed at once', () => {
    const failed: TemplateEvent = { type: 'TemplateSubmitFailed', data: refusal };
    expect(decide(deleteTemplate(STORE), created, failed).map(({ type }) => type)).to.deep.equal([
      'TemplateDeletionRequested',
      'TemplateRemoved',
    ]);
  });

  it('of another store is not found', () => {
    expect(codeOf(() => decide(deleteTemplate(ID), ...approved))).to.equal('not_found');
    expect(codeOf(() => decide(editTemplate(ID, { definition: message('New') }), ...approved))).to.equal('not_found');
  });

  it('with a pending deletion may still be submitted, and is then deleted', () => {
    const deleting: TemplateEvent = { type: 'TemplateDeletionRequested', data: { before: 'submitting' } };
    const events = decide(recordSubmitted({ providerId: '7', status: 'pending' }), created, deleting);
    expect(existing(stateOf(created, deleting, ...events))).to.include({ status: 'deleting', providerId: '7' });
    expect(decide(recordSubmitted({ providerId: '7', status: 'pending' }), created, submitted)).to.deep.equal([]);
  });

  it('that was missing before it was known is not removed', () => {
    const known = Date.parse(specMeta.at);
    expect(decide(takeMissing(known), ...approved)).to.deep.equal([]);
    expect(decide(takeMissing(known + 1), ...approved)).to.have.length(1);
    expect(decide(takeMissing(known + 1), created)).to.deep.equal([]);
  });

  it('that was removed here does not return from an older list', () => {
    const removed: TemplateEvent = { type: 'TemplateRemoved', data: { by: 'provider' } };
    const listed = { providerId: '7', name: 'hello', language: 'en', status: 'approved', ...content('Hello') } as const;
    const at = Date.parse(specMeta.at);
    expect(decide(takeListed(listed, at), ...approved, removed)).to.deep.equal([]);
    expect(decide(takeListed(listed, at + 1), ...approved, removed)[0]?.type).to.equal('TemplateFound');
  });

  it('is compared at most once more during a comparison', () => {
    const request = given(templateSync).when(requestSync('request')).events();
    given(templateSync, ...request, ...request)
      .when(requestSync('webhook'))
      .then([]);
    expect(stateAfter(templateSync, request).open).to.equal(1);
  });
});

/** Statuses that the provider reports. */
const STATUSES: readonly ProviderStatus[] = [
  'pending',
  'approved',
  'rejected',
  'paused',
  'disabled',
  'in_appeal',
  'archived',
];
const reported = fc.uniqueArray(
  fc.record({ at: fc.integer({ min: 1, max: 500 }), status: fc.constantFrom(...STATUSES) }),
  {
    selector: ({ at }) => at,
    minLength: 1,
    maxLength: 12,
  },
);

describe('provider updates of a template', () => {
  const start = Date.parse('2026-03-01T09:00:00.000Z');
  const take = (state: Template, at: number, status: ProviderStatus): Template => {
    const events = takeStatus({ providerId: '7', status, at: start + at * 1_000 })(state);
    return events.reduce<Template>(
      (now, event) => template.evolve(now, { ...event, meta: { ...specMeta, workspaceId: STORE } }),
      state,
    );
  };

  it('end at the latest state, in any order and number', () => {
    fc.assert(
      fc.property(reported, fc.infiniteStream(fc.nat()), (all, seeds) => {
        const repeated = [...all, ...all.slice(0, 5)];
        const order = repeated.map((one) => ({ one, by: seeds.next().value as number })).sort((a, b) => a.by - b.by);
        let state = stateOf(created, submitted);
        for (const { one } of order) state = take(state, one.at, one.status);
        const latest = all.reduce((last, one) => (one.at > last.at ? one : last));
        expect(existing(state).status).to.equal(latest.status);
      }),
    );
  });

  it('change nothing the second time', () => {
    fc.assert(
      fc.property(reported, (all) => {
        let state = stateOf(created, submitted);
        for (const { at, status } of [...all].sort((a, b) => a.at - b.at)) {
          state = take(state, at, status);
          expect(takeStatus({ providerId: '7', status, at: start + at * 1_000 })(state)).to.deep.equal([]);
        }
      }),
    );
  });

  it('for another template under its name change nothing', () => {
    expect(decide(takeStatus({ providerId: '8', status: 'disabled', at: start + 60_000 }), ...approved)).to.deep.equal(
      [],
    );
  });
});

describe('the view of templates', () => {
  const fold = (...events: readonly TemplateEvent[]): View<TemplateBody> | undefined => {
    const views = new Map<string, View<TemplateBody> | undefined>();
    events.forEach((event, at) => {
      const meta = { ...specMeta, workspaceId: STORE };
      const recorded = { ...event, meta, id: `e${at}`, stream: `template-${ID}`, revision: at, position: at };
      foldEvent(templates, views, recorded as never);
    });
    return views.get(`${STORE}/${ID}`);
  };

  it('shows the current state, and the same when events are applied twice', () => {
    const requested: TemplateEvent = { type: 'TemplateEditRequested', data: content('New') };
    const view = fold(...approved, requested);
    expect(view?.body).to.deep.include({ id: ID, status: 'approved', editPending: true, definition: message('Hello') });
    const failed = fold(...approved, requested, { type: 'TemplateEditFailed', data: refusal });
    expect(failed?.body).to.deep.include({ editPending: false, ...refusal });
    expect(fold(...approved, ...approved)?.body).to.deep.equal(fold(...approved)?.body);
    expect(fold(...approved, { type: 'TemplateRemoved', data: { by: 'provider' } })).to.equal(undefined);
  });

  it('matches the state used for decisions', () => {
    const next: readonly TemplateEvent[] = [
      created,
      submitted,
      became('rejected'),
      { type: 'TemplateEditRequested', data: content('New') },
      { type: 'TemplateEditSubmitted', data: {} },
      { type: 'TemplateRevised', data: { ...content('New'), by: 'edit' } },
      { type: 'TemplateQualityChanged', data: { quality: 'GREEN', at: specMeta.at } },
      { type: 'TemplateQualityChanged', data: { at: specMeta.at } },
      { type: 'TemplateDeletionRequested', data: { before: 'pending' } },
      became('approved'),
      { type: 'TemplateDeletionFailed', data: { ...refusal, status: 'paused' } },
    ];
    for (let count = 1; count <= next.length; count += 1) {
      const events = next.slice(0, count);
      const state = existing(stateOf(...events));
      const { status, definition, category, parameterFormat, quality, rejectedReason } = state;
      const known = { status, definition, category, parameterFormat, quality, rejectedReason };
      const { body } = fold(...events)!;
      expect({ ...known, editPending: state.edit !== undefined }, events.at(-1)?.type).to.deep.equal({
        status: body.status,
        definition: body.definition,
        category: body.category,
        parameterFormat: body.parameterFormat,
        quality: body.quality,
        rejectedReason: body.rejectedReason,
        editPending: body.editPending,
      });
    }
  });
});
