/** Every API path with every method: a missing method returns 405 with the allowed ones. */
import { expect } from 'chai';
import { routeOf } from '../../api/contract/routes.js';
import { methodsFinder } from '../../api/http/methods.js';
import { operations } from '../../api/operations/index.js';
import { type ConformanceStage, conformanceStage } from '../support/conformance/stage.js';

const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'];
const ID = '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70';

/** Methods by path, from the declarations only. */
const declared = new Map<string, Set<string>>();
for (const operation of operations) {
  const { method, path } = routeOf(operation);
  declared.set(path, (declared.get(path) ?? new Set()).add(method));
}
// `batch` is also a valid product id of a partner.
for (const method of ['PUT', 'DELETE'])
  declared.get('/api/v1/workspaces/{workspaceId}/commerce/products/batch')!.add(method);

const allowOf = (methods: ReadonlySet<string>): string =>
  [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');

describe('the allowed methods of a path', () => {
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${stage.baseUrl}${path.replace(/\{\w+\}/g, ID)}`, { method, headers });

  for (const [path, methods] of declared) {
    const allow = allowOf(methods);
    it(`${path}: ${allow}`, async () => {
      for (const method of METHODS) {
        const answer = await call(method, path);
        if (methods.has(method)) expect(answer.status, `${method} is offered`).to.not.be.oneOf([404, 405]);
        else {
          expect(answer.status, method).to.equal(405);
          expect(answer.headers.get('allow'), method).to.equal(allow);
          expect((await answer.json()) as object, method).to.include({ code: 'method_not_allowed' });
        }
      }
      const options = await call('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).to.deep.equal([204, allow]);
      const requested = { origin: 'https://shop.example.com', 'access-control-request-method': 'PUT' };
      const preflight = await call('OPTIONS', path, requested);
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).to.deep.equal([204, allow]);
      expect((await call('HEAD', path)).status === 405).to.equal(!methods.has('GET'));
    });
  }

  it('are declared as a 405 response that no operation names', () => {
    const { AnyProblem } = stage.document.components.responses as { AnyProblem: { headers: object } };
    expect(AnyProblem.headers).to.include.keys('Allow', 'X-Request-Id');
  });

  it('match a literal segment in any encoding', async () => {
    const answer = await call('GET', '/api/v1/workspaces/{workspaceId}/templates/%73ync');
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'OPTIONS, POST']);
  });

  it('match a literal segment as a parameter if it is valid as one', () => {
    const methodsOf = methodsFinder([
      { method: 'GET', path: '/notes/{noteId}', takes: (_, value) => value !== 'latest' },
      { method: 'PUT', path: '/notes/{noteId}', takes: () => true },
      { method: 'POST', path: '/notes/latest' },
      { method: 'DELETE', path: '/notes/{noteId}' },
    ]);
    expect(methodsOf('/notes/latest')).to.deep.equal(['DELETE', 'OPTIONS', 'POST', 'PUT']);
    expect(methodsOf('/notes/first')).to.deep.equal(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']);
    for (const nothing of ['/notes', '/notes/', '/notes/first/more']) expect(methodsOf(nothing)).to.deep.equal([]);
  });
});
