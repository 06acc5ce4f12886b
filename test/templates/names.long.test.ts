/** Names and the limit of a store's templates: many at once, and those that the provider has. */
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { names } from '../../domain/names.js';
import { templateNames } from '../../domain/templates/templateNames.js';
import { ACCOUNT, type Body, STORE, type TemplateStage, templateStage } from '../support/stages/templateStage.js';
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
  const filled = async (count: number): Promise<void> => {
    const holders = times(count, (i) => ({ by: derivedId('there', i), value: `there_${i} en` }));
    for (let i = 0; i < count; i += 500)
      await stage.happen(
        names,
        `${STORE}.template`,
        STORE,
        ...holders.slice(i, i + 500).map(({ by, value }) => ({
          type: 'NameTaken' as const,
          data: { by, value, attempt: by },
        })),
      );
  };
  const codes = (answers: readonly { status: number; body: Body }[]) =>
    answers.flatMap(({ status, body }) => (status === 201 || body.code === 'unavailable' ? [] : [body.code]));

  it('are limited exactly when 1,010 are created at once', async () => {
    await stage.stopProcessors();
    await filled(templateNames.most - 1_000);
    const answers = await atOnce(1_010, (i) => create(`new_${i}`));
    expect(codes(answers)).to.deep.equal(times(10, () => 'template_limit_reached'));
    expect((await create('of_another_store', 'sk_test_two')).status).to.equal(201);
  });

  it('that the provider has are shown, in any number', async () => {
    await filled(templateNames.most);
    stage.graph.add(ACCOUNT, { name: 'from_the_provider' });
    expect(named(await synced(stage), 'from_the_provider')).to.include({ status: 'approved' });
    expect((await create('one_more')).body.code).to.equal('template_limit_reached');
    expect((await create('from_the_provider')).status).to.equal(409);
  });
});
