import { expect } from 'chai';
import { until } from '../support/doubles/fakeClock.js';
import {
  ACCOUNT,
  BARE_STORE,
  type Body,
  STORE,
  type TemplateStage,
  templateStage,
} from '../support/stages/templateStage.js';
import { named, plain, synced, typesOf } from '../support/stages/templateSteps.js';

const DAY_MS = 86_400_000;

describe('synchronisation of templates', () => {
  let stage: TemplateStage;
  beforeEach(async () => {
    stage = await templateStage();
  });
  afterEach(() => stage.close());

  describe('by comparison', () => {
    it('adds templates created at the provider, page after page, and shows what cannot be sent', async () => {
      for (const name of ['a', 'b', 'c', 'd']) stage.graph.add(ACCOUNT, { name });
      stage.graph.add(ACCOUNT, {
        name: 'e',
        category: 'AUTHENTICATION',
        status: 'REJECTED',
        rejected_reason: 'ABUSIVE_CONTENT',
        quality_score: { score: 'YELLOW' },
        components: [
          {
            type: 'BODY',
            text: '*{{1}}* waa koodkaaga.',
            add_security_recommendation: true,
            example: { body_text: [['1']] },
          },
          { type: 'FOOTER', text: 'Wuu dhacayaa.', code_expiration_minutes: 5 },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Nuqul', url: 'https://www.example.com/otp/code={{1}}' }] },
        ],
      });
      stage.graph.add(ACCOUNT, {
        name: 'f',
        category: 'MARKETING',
        parameter_format: 'NAMED',
        components: [
          { type: 'HEADER', format: 'GIF' },
          {
            type: 'BODY',
            text: 'Hi {{who}}!',
            example: { body_text_named_params: [{ param_name: 'who', example: 'Asha' }] },
          },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'FLOW', text: 'Go' },
              { type: 'COPY_CODE', example: ['EID'] },
            ],
          },
          { type: 'CALL_PERMISSION_REQUEST' },
          { type: 'CAROUSEL', cards: [] },
        ],
      });
      const list = await synced(stage);
      expect(list.templates.map(({ name }: Body) => name)).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f']);
      expect(named(list, 'a')).to.include({ status: 'approved', syncedAt: list.syncedAt });
      expect(named(list, 'e')).to.deep.include({
        status: 'rejected',
        rejectedReason: 'ABUSIVE_CONTENT',
        quality: 'YELLOW',
        definition: {
          body: { text: '*{{1}}* waa koodkaaga.', addSecurityRecommendation: true },
          footer: { text: 'Wuu dhacayaa.', codeExpirationMinutes: 5 },
          buttons: [{ type: 'otp', text: 'Nuqul' }],
        },
      });
      expect(named(list, 'f')).to.deep.include({
        parameterFormat: 'named',
        definition: {
          body: { text: 'Hi {{who}}!', examples: [{ value: 'Asha', name: 'who' }] },
          buttons: [{ type: 'copy_code', example: 'EID' }, { type: 'voice_call_request' }],
          unsupported: ['header gif', 'button flow', 'carousel'],
        },
      });
      const { id } = named(list, 'f');
      expect((await stage.call('POST', `/${id}/preview`, {})).body.code).to.equal('template_not_sendable');
      const edit = { definition: { body: { text: 'Hi' } } };
      expect((await stage.call('PATCH', `/${id}`, edit)).body.code).to.equal('template_not_editable');
    });

    it('leaves unchanged ones as they are', async () => {
      stage.graph.add(ACCOUNT, { name: 'a' });
      const { id } = named(await synced(stage), 'a');
      const before = await typesOf(stage, id);
      await synced(stage);
      expect(await typesOf(stage, id))
        .to.deep.equal(before)
        .and.deep.equal(['TemplateFound']);
    });

    it('updates status, text, category and rating', async () => {
      const { id } = await stage.submitted(plain('hello'));
      Object.assign(stage.graph.templates.get(stage.providerId('hello'))!, {
        status: 'PAUSED',
        category: 'UTILITY',
        quality_score: { score: 'RED' },
        components: [{ type: 'BODY', text: 'Hello again' }],
      });
      expect(named(await synced(stage), 'hello')).to.deep.include({
        id,
        status: 'paused',
        category: 'utility',
        quality: 'RED',
        definition: { body: { text: 'Hello again' } },
      });
    });

    it('removes those deleted at the provider, which may return', async () => {
      const { id } = await stage.submitted(plain('hello'));
      const there = [...stage.graph.templates.values()][0]!;
      stage.graph.templates.clear();
      expect((await synced(stage)).templates).to.deep.equal([]);
      expect((await stage.call('GET', `/${id}`)).status).to.equal(404);
      stage.graph.templates.set(there.id, there);
      const back = named(await synced(stage), 'hello');
      expect(back.status).to.equal('pending');
      stage.graph.templates.clear();
      await synced(stage);
      stage.graph.templates.set(there.id, there);
      expect(named(await synced(stage), 'hello').id).to.equal(back.id);
    });

    it('does not remove those that are only missing from the list', async () => {
      const { id } = await stage.submitted(plain('hello'));
      stage.graph.faults.set('GET list', ['empty']);
      expect((await synced(stage)).templates.map((one: Body) => one.id)).to.deep.equal([id]);
      expect(await typesOf(stage, id)).to.deep.equal(['TemplateCreated', 'TemplateSubmitted']);
    });

    it('does not remove those with an unknown form', async () => {
      const { id } = await stage.submitted(plain('hello'));
      Object.assign(stage.graph.templates.get(stage.providerId('hello'))!, { category: 'SERVICE' });
      expect((await synced(stage)).templates.map((one: Body) => one.id)).to.deep.equal([id]);
      expect(await typesOf(stage, id)).to.deep.equal(['TemplateCreated', 'TemplateSubmitted']);
    });

    it('reports failures, and retries when the provider is temporarily unreachable', async () => {
      stage.graph.add(ACCOUNT, { name: 'a' });
      await stage.quiet();
      stage.graph.faults.set('GET list', [{ code: 190, status: 401, message: 'The token is over.' }]);
      const failed = await synced(stage);
      expect(failed.syncError).to.include('The token is over.');
      stage.graph.faults.set('GET list', ['drop', { code: 2, status: 503 }]);
      await stage.call('POST', '/sync');
      const good = await stage.listed(({ syncError }) => syncError === undefined);
      expect(good.templates).to.have.length(1);
    });

    it('runs at once when a number is connected, before any view shows it', async () => {
      stage.graph.add('300', { name: 'theirs' });
      await stage.connect(BARE_STORE, '300');
      const list = await stage.listed(
        ({ syncedAt, syncError }) => (syncedAt ?? syncError) !== undefined,
        'sk_test_bare',
      );
      expect(list).not.to.have.property('syncError');
      expect(list.templates[0]).to.include({ name: 'theirs', syncedAt: list.syncedAt });
    });

    it('runs when a number is connected, and every day from then on', async () => {
      await stage.quiet();
      const lists = (): number =>
        stage.graph.calls.filter(({ path }) => path.endsWith(`${ACCOUNT}/message_templates`)).length;
      expect(lists()).to.equal(1);
      await stage.connect(STORE, ACCOUNT);
      await stage.quiet();
      expect(lists()).to.equal(2);
      // The time of day is the store's own, so the first comes within two days.
      await stage.clock.advance(DAY_MS);
      for (let day = 0; day < 5; day += 1) {
        const before = lists();
        await stage.clock.advance(DAY_MS);
        await until('it was compared again', () => lists() > before);
        await stage.quiet();
      }
      expect(lists()).to.be.within(2 + 5, 2 + 6);
    });
  });

  describe('after a crash', () => {
    it('submits once, though the response was lost', async () => {
      stage.graph.faults.set('POST create', ['lost']);
      const { id, status } = await stage.submitted(plain('hello'));
      expect(status).to.equal('pending');
      expect(stage.graph.templates.size).to.equal(1);
      expect(await typesOf(stage, id)).to.deep.equal(['TemplateCreated', 'TemplateSubmitted']);
    });

    it('does not confuse templates with others of the same name', async () => {
      await stage.quiet();
      stage.graph.add(ACCOUNT, { name: 'hello', components: [{ type: 'BODY', text: 'Quite another thing' }] });
      const failed = await stage.submitted(plain('hello'));
      expect(failed.status).to.equal('submit_failed');
      expect(failed.errorMessage).to.include('already exists');
      expect(named(await synced(stage), 'hello')).to.deep.include({
        id: failed.id,
        status: 'approved',
        definition: { body: { text: 'Quite another thing' } },
      });
    });

    it('submits after a crash before the request', async () => {
      await stage.stopProcessors();
      const { body } = await stage.call('POST', '', plain('hello'));
      await stage.startProcessors();
      await stage.when(body.id, ({ status }) => status === 'pending');
    });

    it('edits once, though the response was lost and the provider rejects a second time', async () => {
      const { id } = await stage.submitted(plain('hello'));
      const providerId = stage.providerId('hello');
      await stage.status(providerId, 'APPROVED');
      stage.graph.faults.set('POST edit', ['lost', { code: 100, message: 'Edited too often.' }]);
      await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'New words' } } });
      await stage.quiet();
      await stage.clock.advance(5_000);
      await stage.quiet();
      expect(await typesOf(stage, id))
        .to.include('TemplateEditSubmitted')
        .and.not.include('TemplateEditFailed');
    });

    it('restores the previous version with the reason if the provider rejects an edit', async () => {
      const { id } = await stage.submitted(plain('hello'));
      await stage.status(stage.providerId('hello'), 'APPROVED');
      stage.graph.faults.set('POST edit', [{ code: 100, message: 'Edited too often.' }]);
      await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'New words' } } });
      const retained = await stage.when(id, ({ editPending }) => !editPending);
      expect(retained).to.deep.include({
        status: 'approved',
        definition: { body: { text: 'Hello there' } },
        errorCode: '100',
      });
    });

    it('deletes, though the response was lost', async () => {
      const { id } = await stage.submitted(plain('hello'));
      stage.graph.faults.set('DELETE delete', ['lost']);
      await stage.call('DELETE', `/${id}`);
      await stage.when(id, ({ code }) => code === 'not_found');
    });

    it('deletes at the provider also what was deleted during its submission', async () => {
      stage.graph.faults.set('POST create', ['lost']);
      const { body } = await stage.call('POST', '', plain('hello'));
      await stage.call('DELETE', `/${body.id}`);
      await stage.when(body.id, ({ code }) => code === 'not_found');
      await stage.quiet();
      expect(stage.graph.templates.size).to.equal(0);
    });

    it('gives up when the provider cannot be reached for a day', async () => {
      const waits = { code: 4, status: 429, message: 'Too much.', retryAfter: 8 * 3_600 };
      stage.graph.faults.set('POST create', [waits, waits, waits, waits]);
      const { body } = await stage.call('POST', '', plain('hello'));
      for (let tries = 1; tries <= 3; tries += 1) {
        await until('the attempt is finished', () => stage.graph.faults.get('POST create')?.length === 4 - tries);
        await stage.quiet();
        expect((await stage.call('GET', `/${body.id}`)).body.status).to.equal('submitting');
        await stage.clock.advance(8 * 3_600_000);
      }
      const failed = await stage.when(body.id, ({ status }) => status !== 'submitting');
      expect(failed).to.deep.include({ status: 'submit_failed', errorCode: '4' });
    });
  });
});
