/** Route selection, tested over a socket with paths as clients may write them. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createRouter, READING } from '../../infrastructure/http/router.js';

const ROUTES = [
  '/',
  '/:any',
  '/a/:id',
  '/a/batch',
  '/a/:id/x',
  '/b/:id/c/:key',
  '/b/c',
  '/d/e/f',
  '/d/:id/g',
  '/f.json',
];

describe('the router', () => {
  const textOf =
    (text: string) =>
    (_: unknown, response: { end(text: string): void }): void =>
      response.end(text);
  const router = createRouter({
    longestParam: 10,
    otherwise: textOf('none'),
    undecodable: textOf('undecodable'),
    tooLong: textOf('too long'),
  });
  for (const path of ROUTES)
    router.on(READING, path, (_, response, params) => response.end([path, ...Object.entries(params).flat()].join(' ')));
  router.on(['PUT'], '/a/:name', (_, response, { name }) => response.end(`PUT ${name}`));
  let server: Server;
  before(async () => {
    server = createServer(router.listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  async function load(path: string, method = 'GET', of = server): Promise<string> {
    const { port } = of.address() as AddressInfo;
    const pendingRequest = request({ host: '127.0.0.1', port, path, method, agent: false }).end();
    const [answer] = await once(pendingRequest, 'response');
    return Buffer.concat(await answer.toArray()).toString();
  }
  const expectEach = async (table: readonly (readonly [path: string, answer: string])[]): Promise<void> => {
    for (const [path, answer] of table) expect(await load(path), path).to.equal(answer);
  };

  it('matches a literal segment before a parameter, and a parameter if the literal leads nowhere', () =>
    expectEach([
      ['/', '/'],
      ['/a', '/:any any a'],
      ['/a/1', '/a/:id id 1'],
      ['/a/batch', '/a/batch'],
      ['/a/batc', '/a/:id id batc'],
      ['/a/batch/x', '/a/:id/x id batch'],
      ['/b/1/c/2', '/b/:id/c/:key id 1 key 2'],
      ['/d/e/f', '/d/e/f'],
      ['/d/e/g', '/d/:id/g id e'],
      ['/d/e/h', 'none'],
      ['/f.json', '/f.json'],
    ]));

  it('matches the path exactly: case, extra slashes, empty segments', () =>
    expectEach([
      ['/A/batch', 'none'],
      ['/a/1/', 'none'],
      ['//a/1', 'none'],
      ['/a/', '/a/:id id '],
      ['/b//c/2', '/b/:id/c/:key id  key 2'],
      ['/a/..', '/a/:id id ..'],
    ]));

  it('decodes each segment separately, once, and leaves the query alone', () =>
    expectEach([
      ['/a/b%61tch', '/a/batch'],
      ['/a/a%2Fb/x', '/a/:id/x id a/b'],
      ['/a/%2525', '/a/:id id %25'],
      ['/a/%C3%A4', '/a/:id id ä'],
      ['/a/1%3Fx', '/a/:id id 1?x'],
      ['/a/1?x=%zz', '/a/:id id 1'],
      ['/a/1#x', '/a/:id id 1'],
      ['/a/__proto__', '/a/:id id __proto__'],
      ['/%2561/1', 'none'],
    ]));

  it('reports what cannot be decoded, and what is too long for any parameter', () =>
    expectEach([
      ['/a/%C3', 'undecodable'],
      ['/nothing/%zz', 'undecodable'],
      ['/a/1234567890', '/a/:id id 1234567890'],
      ['/a/%61234567890', '/a/:id id a234567890'],
      ['/a/12345678901', 'too long'],
      ['/b/12345678901/c/1', 'too long'],
      ['/none/12345678901', 'none'],
    ]));

  it('finds the path after scheme and host, as a proxy may send', () =>
    expectEach([
      ['http://shop.example/a/1?b', '/a/:id id 1'],
      ['HTTP://shop.example', '/'],
      ['https://shop.example?b=1', '/'],
      ['http:///a/1', 'undecodable'],
      ['http://shop.example:99999/a/1', 'undecodable'],
      ['ws://shop.example/a/1', 'none'],
    ]));

  it('matches the method, HEAD as GET', async () => {
    expect(await load('/a/batch', 'PUT')).to.equal('PUT batch');
    expect(await load('/b/c', 'PUT')).to.equal('none');
    expect(await load('/a/%zz', 'DELETE')).to.equal('none');
    expect(await load('/a/1', 'HEAD')).to.equal('');
  });

  it('rejects a duplicate route, also under other names, and one added after the first request', () => {
    const nobody = (): void => {};
    const fresh = createRouter({ longestParam: 10, otherwise: nobody, undecodable: nobody, tooLong: nobody });
    fresh.on(['GET'], '/a/:id', nobody);
    fresh.on(['PUT'], '/a/:id', nobody);
    expect(() => fresh.on(['GET'], '/a/:other', nobody)).to.throw('GET /a/:other is there already');
    fresh.prepare();
    expect(() => fresh.on(['GET'], '/b', nobody)).to.throw('/b comes after the first request');
  });

  it('answers a literal path the same before and after the paths are compiled', async () => {
    const fresh = createRouter({
      longestParam: 10,
      otherwise: textOf('none'),
      undecodable: textOf('undecodable'),
      tooLong: textOf('too long'),
    });
    fresh.on(READING, '/ready', (_, response, params) => response.end(`ready ${Object.keys(params).length}`));
    fresh.on(['GET'], '/:any', textOf('any'));
    const answering = createServer(fresh.listener).listen(0, '127.0.0.1');
    await once(answering, 'listening');
    const table = ['/ready', '/ready?now', '/r%65ady', '/:any', '/ready/', '/ready'];
    const answers = ['ready 0', 'ready 0', 'ready 0', 'any', 'none', 'ready 0'];
    for (let round = 0; round < 2; round += 1) {
      const requested: string[] = [];
      for (const path of table) requested.push(await load(path, 'GET', answering));
      expect(requested).to.deep.equal(answers);
      expect(await load('/ready', 'PUT', answering)).to.equal('none');
    }
    answering.close();
  });
});
