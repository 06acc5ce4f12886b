/** The channel's endpoints for templates, and uploads of their examples. (shared reference: 'Message templates'.) */

import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { JsonObject } from '../../domain/jsonObject.js';
import { dropOldest } from '../dropOldest.js';
import { record } from '../untypedJson.js';
import { GraphError } from './graphError.js';
import type { GraphGate } from './graphGate.js';
import { unknownObject } from './mediaApi.js';
import { kindOf, mostBytesOf } from './mediaTypes.js';
import type { SandboxRequest, SandboxRoutes } from './routes.js';
import type { SandboxTemplate } from './templateContent.js';
import { checkedContent, checkedName } from './templateRules.js';
import type { SandboxTemplates } from './templates.js';

export interface TemplateApiDependencies {
  readonly templates: SandboxTemplates;
  readonly gate: GraphGate;
}

type Query = SandboxRequest['query'];

const DEFAULT_PAGE = 25;
const MOST_PAGE = 1_000;
const FIELDS = 'name,parameter_format,components,language,status,category,id';
/** Uploads that were begun, and handles of those that were finished. */
const KEPT = 1_000;

const shown = (template: SandboxTemplate): JsonObject => ({
  id: template.id,
  name: template.name,
  parameter_format: template.parameterFormat,
  language: template.language,
  category: template.category,
  components: template.components,
  status: template.status,
  rejected_reason: template.rejectedReason ?? 'NONE',
  quality_score: { score: template.quality },
});

/** The requested fields, and always the id. */
export function shownTemplate(template: SandboxTemplate, fields: string = FIELDS): object {
  const whole = shown(template);
  const names = [...new Set([...fields.split(',').map((name) => name.trim()), 'id'])];
  return Object.fromEntries(names.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]));
}

function page(found: readonly SandboxTemplate[], { limit, after, fields }: Query): object {
  const start = after === undefined ? 0 : Number(Buffer.from(after, 'base64url').toString());
  const size = Math.min(Number(limit ?? DEFAULT_PAGE), MOST_PAGE);
  if (!Number.isSafeInteger(start) || start < 0 || !(size >= 1)) throw new GraphError(100, 'after or limit is wrong');
  const data = found.slice(start, start + size).map((one) => shownTemplate(one, fields));
  if (data.length === 0) return { data };
  const cursor = (at: number): string => Buffer.from(String(at)).toString('base64url');
  const end = start + data.length;
  // The address of the next page is another host's on purpose: nobody may follow it with a token.
  const next = end < found.length ? { next: 'https://graph.invalid/next' } : {};
  return { data, paging: { cursors: { before: cursor(start), after: cursor(end) }, ...next } };
}

interface Upload {
  readonly type: string;
  readonly length: number;
}

const bodyOf = (request: SandboxRequest): JsonObject => record(request.body) ?? {};

/** Uploads of examples, in two calls: their type and length first, then their bytes. */
class Uploads {
  readonly #gate: GraphGate;
  readonly #uploads = new Map<string, Upload>();
  readonly #handles = new Set<string>();

  constructor(gate: GraphGate) {
    this.#gate = gate;
  }

  hasHandle(handle: string): boolean {
    return this.#handles.has(handle);
  }

  /** Begins an upload: the example of a header. */
  async begin(request: SandboxRequest): Promise<object> {
    await this.#gate.fault(request, 'media_upload');
    const query = { ...request.query, ...bodyOf(request) } as Query;
    const type = query.file_type ?? '';
    const length = Number(query.file_length);
    const kind = kindOf(type);
    if (kind === undefined || !(length >= 1 && length <= mostBytesOf(kind)))
      throw new GraphError(100, '(#100) file_length and file_type must be those of a file that the channel accepts.');
    const id = `upload:${randomUUID()}`;
    this.#uploads.set(id, { type, length });
    dropOldest(this.#uploads, KEPT);
    return { id };
  }

  /** The bytes of an upload that was begun: all at once, from `file_offset` 0. */
  async receive(request: SandboxRequest): Promise<object> {
    await this.#gate.fault(request, 'media_upload');
    const id = request.params.id!;
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw unknownObject(id);
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of request.body instanceof Readable ? request.body : []) {
      size += (chunk as Buffer).length;
      if (size > upload.length) throw new GraphError(100, '(#100) There are more bytes than file_length.');
      hash.update(chunk as Buffer);
    }
    if (request.raw.headers.file_offset !== '0' || size !== upload.length)
      throw new GraphError(100, '(#100) file_offset must be 0, and the bytes as many as file_length.');
    this.#uploads.delete(id);
    const h = `4::${Buffer.from(upload.type).toString('base64url')}:${hash.digest('base64url')}:${Date.now().toString(36)}`;
    this.#handles.add(h);
    dropOldest(this.#handles, KEPT);
    return { h };
  }
}

export function templateApi(app: SandboxRoutes, { templates, gate }: TemplateApiDependencies): void {
  const uploads = new Uploads(gate);
  const knowsHandle = (handle: unknown): boolean => typeof handle === 'string' && uploads.hasHandle(handle);

  app.post('/:version/:id/message_templates', async (request) => {
    await gate.fault(request, 'templates');
    const body = bodyOf(request);
    const account = request.params.id!;
    const named = checkedName(body, templates.list(account));
    const { id, status, category } = await templates.create(account, {
      ...named,
      ...checkedContent(body, undefined, knowsHandle),
    });
    return { id, status, category };
  });

  app.get('/:version/:id/message_templates', async (request) => {
    await gate.fault(request, 'template_list');
    const query = request.query;
    const found = templates
      .list(request.params.id!)
      .filter(
        ({ name, language, status }) =>
          (query.name === undefined || name === query.name) &&
          (query.language === undefined || language === query.language) &&
          (query.status === undefined || status === query.status),
      );
    return page(found, query);
  });

  /** Deletes all languages of a name, or the one that `hsm_id` names. */
  app.delete('/:version/:id/message_templates', async (request) => {
    await gate.fault(request, 'templates');
    const { name, hsm_id } = request.query;
    const found = templates
      .list(request.params.id!)
      .filter((one) => (name === undefined || one.name === name) && (hsm_id === undefined || one.id === hsm_id));
    if ((name === undefined && hsm_id === undefined) || found.length === 0)
      throw new GraphError(100, 'Invalid parameter', 400, {
        title: 'Message Template Not Found',
        detail: 'There is no such template.',
      });
    for (const { id } of found) await templates.move(id, 'DELETED');
    return { success: true };
  });

  const EDITABLE: readonly string[] = ['APPROVED', 'REJECTED', 'PAUSED'];
  async function edit(request: SandboxRequest): Promise<object> {
    const id = request.params.id!;
    await gate.fault(request, 'templates');
    const template = templates.find(id);
    if (template === undefined) throw unknownObject(id);
    if (!EDITABLE.includes(template.status))
      throw new GraphError(100, 'Invalid parameter', 400, {
        title: 'Message Template Can Not Be Edited',
        detail: `Only templates that are approved, rejected or paused can be edited; this one is ${template.status}.`,
      });
    await templates.edit(id, checkedContent(bodyOf(request), template, knowsHandle));
    return { success: true };
  }

  app.post('/:version/:id/uploads', (request) => uploads.begin(request));

  app.post('/:version/:id', { streamed: /^/ }, (request) =>
    request.params.id!.startsWith('upload:') ? uploads.receive(request) : edit(request),
  );
}
