/** Names and the limit of a store's templates: many at once, those that the provider has, and what was there before. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { names } from '../../domain/names.js';
import { template } from '../../domain/templates/template.js';
import { templateNameClaims, templateNames } from '../../domain/templates/templateNames.js';
import {
  ACCOUNT,
  type Body,
  STORE,
  seconds,
  type TemplateStage,
  templateStage,
} from '../support/stages/templateStage.js';
import { named, plain, synced } from '../support/stages/templateSteps.js';
import { atOnce } from '../support/tools/atOnce.js';

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('names of templates', function () {
  this.timeout(120_000);
  let stage: TemplateStage;
  beforeEach(async () => {
    stage = await templateStage();
  });
  afterEach(() => stage.close());

  const create = (name: string, key?: string) => stage.call('POST', '', plain(name), key);
  /** The store has so many already, as far as the limit goes. */
  const filled = (count: number) =>
    stage.happen(names, `${STORE}.template`, STORE, {
      type: 'NamesCounted',
      data: { holders: times(count, (i) => ({ by: derivedId('there', i), value: `there_${i} en` })) },
    });
  const codes = (answers: readonly { status: number; body: Body }[]) =>
    answers.flatMap(({ status, body }) => (status === 201 || body.code === 'unavailable' ? [] : [body.code]));

  it('are exact at the limit when 1,010 are created at once', async () => {
    await stage.stopProcessors();
    await filled(templateNames.most - 1_000);
    const answers = await atOnce(1_010, (i) => create(`new_${i}`));
    expect(codes(answers)).to.deep.equal(times(10, () => 'template_limit_reached'));
    expect((await create('of_another_store', 'sk_test_two')).status).to.equal(201);
  });

  it('that the provider has are shown, however many', async () => {
    await filled(templateNames.most);
    stage.graph.add(ACCOUNT, { name: 'from_the_provider' });
    expect(named(await synced(stage), 'from_the_provider')).to.include({ status: 'approved' });
    expect((await create('one_more')).body.code).to.equal('template_limit_reached');
    expect((await create('from_the_provider')).status).to.equal(409);
  });

  describe('that there were before', () => {
    const ID = derivedId('template of before');
    beforeEach(async () => {
      await stage.quiet();
      const providerId = stage.graph.add(ACCOUNT, { name: 'hello' }).id;
      const { definition } = { definition: { body: { text: 'Hello there' } } };
      const at = new Date(stage.clock.now()).toISOString();
      const hash = createHash('sha256').update('hello en').digest('hex').slice(0, 32);
      const claim = { value: 'hello en', by: ID, attempt: 'of before' };
      await stage.happen(templateNameClaims.aggregate, `${STORE}.${hash}`, STORE, {
        type: 'TemplateNameTaken',
        data: claim,
      });
      const content = { category: 'marketing', definition, parameterFormat: 'positional' } as const;
      await stage.happen(template, ID, STORE, {
        type: 'TemplateFound',
        data: { providerId, name: 'hello', language: 'en', ...content, status: 'approved', at },
      });
      await stage.quiet();
    });

    it('are one template’s until that is gone', async () => {
      expect((await create('hello')).body.code).to.equal('template_name_taken');
      await create('other');
      expect((await create('hello')).body.code).to.equal('template_name_taken');
      expect((await create('hello', 'sk_test_two')).status).to.equal(201);
      await stage.quiet();
      await stage.call('DELETE', `/${ID}`);
      await stage.listed(({ templates }) => named({ templates }, 'hello') === undefined);
      expect((await create('hello')).status).to.equal(201);
    });

    it('are found by what the provider says of them', async () => {
      await stage.clock.advance(60_000);
      await stage.status(stage.providerId('hello'), 'PAUSED', seconds(stage.clock));
      expect((await stage.call('GET', `/${ID}`)).body.status).to.equal('paused');
      const { templates } = await synced(stage);
      expect(templates.map(({ id }: Body) => id)).to.deep.equal([ID]);
    });
  });
});
