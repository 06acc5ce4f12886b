/** The documentation has a page for every operation, event and problem, in agreement with the service. */
import { expect } from 'chai';
import { problemKinds } from '../../api/contract/problems.js';
import { operations } from '../../api/operations/index.js';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';
import { type OperationModel, readModel, titleOf } from '../../site/document.js';
import { GUIDES } from '../../site/guides.js';
import { type SampleApi, send, startSampleApi } from '../support/stages/sampleApi.js';
import { pageText } from '../support/stages/servedPages.js';

const model = readModel();

/** Removes spaces, since tags add some, and backticks. */
const squeezed = (text: string): string => text.replace(/[\s`]/g, '');
const textOf = (html: string): string =>
  squeezed(
    html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );

/** Names of the parameters, and of the fields in the examples. */
const namesOf = ({ parameters, body, answers }: OperationModel): string[] => [
  ...parameters.map(({ name }) => name).filter((name) => name !== 'X-Request-Id'),
  ...[body, ...answers].flatMap((part) => Object.keys((part?.example ?? {}) as object)),
];

describe('the pages of the documentation', () => {
  let api: SampleApi;
  before(async () => {
    api = await startSampleApi();
  });
  after(() => api.close());
  const page = (path: string): Promise<string> => pageText(api, path);

  it('exist for each operation, with request, response and errors', async () => {
    for (const one of model.operations) {
      const { id, method, path, summary, problems } = one;
      const text = textOf(await page(`/docs/api/${id}`));
      for (const part of [titleOf(id), id, path, summary]) expect(text, id).to.include(squeezed(part));
      expect(text, id).to.include(method === 'DELETE' ? 'DEL' : method);
      for (const name of namesOf(one)) expect(text, `${id} ${name}`).to.include(name);
      for (const code of problems) expect(text, id).to.include(`${problemKinds[code].status}${code}`);
      for (const language of ['curl', 'TypeScript', 'Python', 'Go', 'PHP']) expect(text, id).to.include(language);
    }
    expect(model.operations.map(({ id }) => id)).to.have.members(operations.map(({ id }) => id));
  });

  it('exist for each event type, each error code, and each guide', async () => {
    expect(model.events.map(({ type }) => type)).to.have.members(Object.keys(EVENT_SCHEMAS));
    for (const { type, example } of model.events) {
      const text = textOf(await page(`/docs/events/${type}`));
      for (const name of Object.keys((example as { data: object }).data)) expect(text, type).to.include(name);
    }
    for (const [code, { todo }] of Object.entries(problemKinds))
      expect(textOf(await page(`/errors/${code}`)), code).to.include(squeezed(todo));
    for (const { slug, title } of GUIDES) {
      const text = await page(`/docs/guides/${slug}`);
      expect(text).to.include('<h1>').and.to.include(`>${title}</a>`).and.not.to.include('To be written');
      expect(text, 'what is for operators').not.to.include('docs: leave out');
    }
  });

  it('exist as plain text and for tools', async () => {
    const index = await page('/llms.txt');
    const whole = await page('/docs/llms-full.txt');
    const listed = [...index.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path!);
    expect(listed.length).to.equal(model.operations.length + model.events.length + GUIDES.length);
    for (const path of listed) {
      const { status, headers, text } = await send(api.url + path, 'GET');
      expect([status, headers.get('content-type')], path).to.deep.equal([200, 'text/markdown; charset=utf-8']);
      expect(whole, path).to.include(text.trim());
    }
    const collection = JSON.parse(await page('/docs/suuq.postman_collection.json'));
    const items: { name: string; request: { url: { raw: string }; auth: { type: string } } }[] =
      collection.item.flatMap(({ item }: { item: object[] }) => item);
    expect(items.map(({ name }) => name)).to.have.members(operations.map(({ id }) => titleOf(id)));
    for (const { request } of items) expect(request.url.raw).to.match(/^\{\{baseUrl\}\}\/api\/v1\//);
    expect(collection.item.map(({ item }: { item: object[] }) => item.length)).not.to.include(0);
    expect(await page('/docs/api')).not.to.match(/<ul[^>]*><\/ul>/);
    expect(JSON.stringify(collection.variable)).not.to.match(/sk_|_live_/);
  });
});
