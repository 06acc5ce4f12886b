/**
 * Reference server: Express 5 as its documentation shows it, in a separate process. `POST /` parses a JSON body and answers a small object;
 * `GET /` answers the bytes that were set with `PUT /answer`.
 */
import express from 'express';

const app = express();
let answer = '{}';

app.put('/answer', express.text({ type: () => true, limit: '8mb' }), (request, response) => {
  answer = request.body as string;
  response.json({ ok: true });
});
app.get('/', (_request, response) => {
  response.type('json').send(answer);
});
app.post('/', express.json({ limit: '8mb' }), (_request, response) => {
  response.json({ externalId: 'P1', result: 'updated' });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
