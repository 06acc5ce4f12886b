import { expect } from 'chai';
import { ACCOUNT, OTHER_STORE, seconds, type TemplateStage, templateStage } from '../support/stages/templateStage.js';
import { named, plain, synced, typesOf } from '../support/stages/templateSteps.js';

describe('templates updated by the provider', () => {
  let stage: TemplateStage;
  beforeEach(async () => {
    stage = await templateStage();
  });
  afterEach(() => stage.close());

  async function pending(): Promise<{ id: string; providerId: string; t: number }> {
    const { id } = await stage.submitted(plain('hello'));
    await stage.clock.advance(60_000);
    return { id, providerId: stage.providerId('hello'), t: seconds(stage.clock) - 50 };
  }
  const statusOf = async (id: string): Promise<string> => (await stage.call('GET', `/${id}`)).body.status;

  it('go through their complete life cycle', async () => {
    const { id, providerId, t } = await pending();
    const moves: readonly [string, string][] = [
      ['APPROVED', 'approved'],
      ['PAUSED', 'paused'],
      ['REINSTATED', 'approved'],
      ['FLAGGED', 'approved'],
      ['DISABLED', 'disabled'],
      ['IN_APPEAL', 'in_appeal'],
      ['REJECTED', 'rejected'],
      ['PENDING', 'pending'],
      ['LIMIT_EXCEEDED', 'limit_exceeded'],
      ['ARCHIVED', 'archived'],
      ['PENDING_DELETION', 'pending_deletion'],
    ];
    for (const [at, [event, status]] of moves.entries()) {
      expect(await stage.status(providerId, event, t + at)).to.equal(200);
      expect([event, await statusOf(id)]).to.deep.equal([event, status]);
    }
    await stage.status(providerId, 'DELETED', t + moves.length);
    expect((await stage.call('GET', `/${id}`)).status).to.equal(404);
    expect((await stage.call('POST', '', plain('hello'))).status).to.equal(201);
  });

  it('ignore late and repeated updates', async () => {
    const { id, providerId, t } = await pending();
    await stage.status(providerId, 'APPROVED', t + 1);
    await stage.status(providerId, 'PAUSED', t + 5);
    await stage.status(providerId, 'APPROVED', t + 10);
    const known = await typesOf(stage, id);
    for (const at of [1, 3, 5]) await stage.status(providerId, at === 5 ? 'PAUSED' : 'APPROVED', t + at);
    await stage.status(providerId, 'APPROVED', t + 10);
    expect(await typesOf(stage, id)).to.deep.equal(known);
    expect(await statusOf(id)).to.equal('approved');
  });

  it('ignore late updates also if nothing has changed since', async () => {
    const { id, providerId, t } = await pending();
    await stage.status(providerId, 'APPROVED', t + 1);
    await stage.status(providerId, 'APPROVED', t + 10);
    await stage.status(providerId, 'PAUSED', t + 5);
    expect(await statusOf(id)).to.equal('approved');
  });

  it('do not treat a repeated approval as the approval of an edit', async () => {
    const { id, providerId, t } = await pending();
    await stage.status(providerId, 'APPROVED', t);
    await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'New words' } } });
    await stage.quiet();
    await stage.status(providerId, 'APPROVED', t);
    expect((await stage.call('GET', `/${id}`)).body).to.deep.include({
      editPending: true,
      definition: { body: { text: 'Hello there' } },
    });
  });

  it('show a rejected edit with its content and reason', async () => {
    const { id, providerId, t } = await pending();
    await stage.status(providerId, 'APPROVED', t);
    await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'New words' } } });
    await stage.quiet();
    await stage.clock.advance(2_000);
    await stage.status(providerId, 'REJECTED', seconds(stage.clock), { reason: 'PROMOTIONAL' });
    expect((await stage.call('GET', `/${id}`)).body).to.deep.include({
      status: 'rejected',
      rejectedReason: 'PROMOTIONAL',
      editPending: false,
      definition: { body: { text: 'New words' } },
    });
  });

  it('find by comparison an edit approved during downtime', async () => {
    const { id, providerId, t } = await pending();
    await stage.status(providerId, 'APPROVED', t);
    await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'New words' } } });
    await stage.quiet();
    expect(named(await synced(stage), 'hello')).to.include({ status: 'approved', editPending: true });
    stage.graph.templates.get(providerId)!.status = 'APPROVED';
    expect(named(await synced(stage), 'hello')).to.deep.include({
      editPending: false,
      definition: { body: { text: 'New words' } },
    });
  });

  it('find by comparison an edit approved while it was submitted', async () => {
    const { id, providerId, t } = await pending();
    await stage.status(providerId, 'APPROVED', t);
    stage.graph.onEdit = async (template) => {
      template.status = 'APPROVED';
      await stage.status(providerId, 'APPROVED');
    };
    await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'New words' } } });
    await stage.when(id, ({ editPending, definition }) => !editPending && definition.body.text === 'New words');
  });

  it('keep the latest rating', async () => {
    const { id, providerId, t } = await pending();
    const about = {
      message_template_id: Number(providerId),
      message_template_name: 'hello',
      message_template_language: 'en',
    };
    const rate = (new_quality_score: string, at: number) =>
      stage.publish(
        'message_template_quality_update',
        { previous_quality_score: 'UNKNOWN', new_quality_score, ...about },
        at,
      );
    await rate('GREEN', t + 5);
    await rate('RED', t + 1);
    expect((await stage.call('GET', `/${id}`)).body.quality).to.equal('GREEN');
    await rate('UNKNOWN', t + 9);
    expect((await stage.call('GET', `/${id}`)).body).not.to.have.property('quality');
  });

  it('are looked up if unknown here, or if the text differs', async () => {
    const { id, providerId } = await pending();
    const found = stage.graph.add(ACCOUNT, { name: 'theirs' });
    await stage.status(found.id, 'APPROVED');
    await stage.listed((list) => named(list, 'theirs')?.status === 'approved');
    stage.graph.templates.get(providerId)!.components = [{ type: 'BODY', text: 'Their words' }];
    await stage.clock.advance(1_000);
    await stage.publish('message_template_components_update', { message_template_id: Number(providerId) });
    await stage.when(id, ({ definition }) => definition.body.text === 'Their words');
  });

  it('ignore other accounts and invalid updates', async () => {
    const { id, providerId, t } = await pending();
    const before = await typesOf(stage, id);
    const about = {
      message_template_id: Number(providerId),
      message_template_name: 'hello',
      message_template_language: 'en',
    };
    expect(await stage.publish('message_template_status_update', { event: 'APPROVED', ...about }, t, '999')).to.equal(
      200,
    );
    for (const value of [null, [], { event: 7 }, { ...about, event: { a: 1 } }, { ...about, event: 'NEVER_HEARD_OF' }])
      expect(await stage.publish('message_template_status_update', value as object, t)).to.equal(200);
    await stage.quiet();
    expect(await typesOf(stage, id)).to.deep.equal(before);
  });

  it('of an account with several stores change in each store', async () => {
    await stage.connect(OTHER_STORE, ACCOUNT);
    const { id, providerId, t } = await pending();
    await stage.call('POST', '/sync', undefined, 'sk_test_two');
    const theirs = named(await stage.listed((list) => list.templates.length > 0, 'sk_test_two'), 'hello');
    expect(theirs.id).not.to.equal(id);
    await stage.status(providerId, 'APPROVED', t);
    await stage.status(providerId, 'PAUSED', seconds(stage.clock) + 1);
    expect(await statusOf(id)).to.equal('paused');
    expect((await stage.call('GET', `/${theirs.id}`, undefined, 'sk_test_two')).body.status).to.equal('paused');
  });
});
