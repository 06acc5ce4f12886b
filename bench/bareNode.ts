/**
 * The least that answers: `node:http` and nothing else, in a process of its own, with the paths of `bareExpress.ts`. What Express itself
 * costs is not in it.
 */
import { createServer, type IncomingMessage } from 'node:http';

const UPDATED = JSON.stringify({ externalId: 'P1', result: 'updated' });

let answer: Buffer = Buffer.from('{}');

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function answered(request: IncomingMessage): Promise<string | Buffer> {
  if (request.method === 'GET') return answer;
  const body = await bodyOf(request);
  if (request.method === 'PUT') answer = body;
  else JSON.parse(body.toString());
  return UPDATED;
}

const server = createServer((request, response) => {
  answered(request).then(
    (content) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) });
      response.end(content);
    },
    () => response.writeHead(400).end(),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
