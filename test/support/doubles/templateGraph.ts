/** Small fake of the provider's templates, for faults that the sandbox does not play. Tests set the reviews. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bytesOf } from './bytesOf.js';

export interface GraphTemplate {
  readonly id: string;
  readonly account: string;
  name: string;
  language: string;
  category: string;
  parameter_format?: string;
  components: object[];
  status: string;
  rejected_reason?: string;
  quality_score?: { score: string };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** `retryAfter` in seconds. */
interface Refusal {
  readonly code: number;
  readonly status?: number;
  readonly message?: string;
  readonly retryAfter?: number;
}

/** Fault of a call. `lost`: breaks the connection after the effect. `drop`: before it. `empty`: an empty list. */
export type GraphFault = Refusal | 'lost' | 'drop' | 'empty';

export interface TemplateGraph {
  readonly baseUrl: string;
  readonly templates: Map<string, GraphTemplate>;
  readonly calls: Call[];
  /** Faults by `METHOD kind`, such as `POST create`: one per call, in order. */
  readonly faults: Map<string, GraphFault[]>;
  /** Bytes of the uploaded samples, by handle. */
  readonly samples: Map<string, Buffer>;
  /** Templates per page. */
  page: number;
  /** Runs before a call takes effect and again before it is answered. false: the connection breaks there. */
  gate: () => Promise<boolean>;
  /** Runs after an edit has taken effect, before it is answered. */
  onEdit: (template: GraphTemplate) => Promise<void>;
  add(account: string, template: Partial<GraphTemplate> & { name: string }): GraphTemplate;
  close(): Promise<void>;
}

/** Components that the provider writes itself, in the template's language. */
const CODE_WORDS = [
  { type: 'BODY', text: '*{{1}}* waa koodkaaga.', example: { body_text: [['123456']] } },
  { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Nuqul', url: 'https://www.example.com/otp/code={{1}}' }] },
];

class Refused extends Error {
  readonly answer: Refusal;
  constructor(answer: Refusal) {
    super(answer.message);
    this.answer = answer;
  }
}
const refuse = (message: string): never => {
  throw new Refused({ code: 100, message });
};

export async function templateGraph(): Promise<TemplateGraph> {
  let count = 100;
  const templates = new Map<string, GraphTemplate>();
  const samples = new Map<string, Buffer>();
  const calls: Call[] = [];
  const faults = new Map<string, GraphFault[]>();
  const of = (account: string): GraphTemplate[] => [...templates.values()].filter((one) => one.account === account);

  function create(account: string, body: string): object {
    const given = JSON.parse(body) as GraphTemplate;
    if (of(account).some(({ name, language }) => name === given.name && language === given.language))
      refuse('Content in this language already exists');
    const components = given.category === 'AUTHENTICATION' ? CODE_WORDS : given.components;
    const added: GraphTemplate = { ...given, components, id: String(++count), account, status: 'PENDING' };
    templates.set(added.id, added);
    return { id: added.id, status: 'PENDING', category: added.category };
  }
  function list(account: string, query: URLSearchParams): object {
    const name = query.get('name');
    const found = of(account).filter((one) => name === null || one.name === name);
    const from = Number(query.get('after') ?? 0);
    const data = found.slice(from, from + graph.page);
    const more = from + data.length < found.length;
    const paging = {
      cursors: { after: String(from + data.length) },
      ...(more && { next: 'https://elsewhere.example/' }),
    };
    return { data, paging };
  }
  async function edit(id: string, body: string): Promise<object> {
    const template = templates.get(id) ?? refuse('There is no such template.');
    Object.assign(template, JSON.parse(body), { status: 'PENDING' });
    await graph.onEdit(template);
    return { success: true };
  }
  function remove(account: string, query: URLSearchParams): object {
    const id = query.get('hsm_id') ?? '';
    if (!of(account).some((one) => one.id === id && one.name === query.get('name')))
      refuse('There is no such template.');
    templates.delete(id);
    return { success: true };
  }

  /** Returns the kind of a call and its handler. */
  function route({ method, path, query, body, headers }: Call, raw: Buffer): [string, () => object | Promise<object>] {
    const [, , id = '', what] = path.split('/');
    if (method === 'POST' && id === 'app') return ['upload', () => ({ id: `upload:${++count}?sig=x` })];
    if (method === 'POST' && id.startsWith('upload:'))
      return [
        'bytes',
        () => {
          if (headers.file_offset !== '0' || !headers.authorization?.startsWith('OAuth ')) refuse('A wrong upload.');
          samples.set(`handle-${count}`, raw);
          return { h: `handle-${count}` };
        },
      ];
    if (what === 'message_templates' && method === 'POST') return ['create', () => create(id, body)];
    if (what === 'message_templates' && method === 'GET')
      return [query.has('name') ? 'find' : 'list', () => list(id, query)];
    if (what === 'message_templates' && method === 'DELETE') return ['delete', () => remove(id, query)];
    return ['edit', () => edit(id, body)];
  }

  function refused(error: unknown, response: ServerResponse): void {
    if (!(error instanceof Refused)) throw error;
    const { code, status = 400, message = 'Invalid parameter', retryAfter } = error.answer;
    const body = { error: { message: `(#${code})`, code, error_user_msg: message } };
    if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await bytesOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://graph');
    const call: Call = {
      method: request.method ?? '',
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: request.headers,
      body: raw.toString('utf8'),
    };
    calls.push(call);
    const [kind, run] = route(call, raw);
    const reached = await graph.gate();
    const fault = reached ? faults.get(`${call.method} ${kind}`)?.shift() : 'drop';
    if (fault === 'drop') return void response.destroy();
    try {
      if (typeof fault === 'object') throw new Refused(fault);
      const answer = fault === 'empty' ? { data: [] } : await run();
      if (!(await graph.gate()) || fault === 'lost') return void response.destroy();
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    } catch (error) {
      refused(error, response);
    }
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const graph: TemplateGraph = {
    baseUrl: `http://127.0.0.1:${port}`,
    templates,
    calls,
    faults,
    samples,
    page: 2,
    gate: async () => true,
    onEdit: async () => undefined,
    add(account, template) {
      const added: GraphTemplate = {
        language: 'en',
        category: 'UTILITY',
        parameter_format: 'POSITIONAL',
        components: [{ type: 'BODY', text: 'Hello there' }],
        status: 'APPROVED',
        ...template,
        id: String(++count),
        account,
      };
      templates.set(added.id, added);
      return added;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return graph;
}
