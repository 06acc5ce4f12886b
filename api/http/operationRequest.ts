import type { Request } from '../contract/operation.js';
import type { Services } from '../contract/services.js';
import type { Access } from './access.js';
import type { AnswerSources } from './answerSources.js';
import type { Input } from './input/validation.js';
import type { RequestScope } from './requestScope.js';

/** A request as its operation sees it. */
export class OperationRequest {
  readonly params: Input['params'];
  readonly query: Input['query'];
  readonly body: unknown;
  readonly upload: Input['upload'];
  readonly member: Access['member'];
  readonly workspace: Access['workspace'];
  readonly partner: Access['partner'];
  /** A field, so that it may be taken out of the object. */
  readonly newId = (name: string): string => {
    this.#sources?.other();
    return this.#work.newId(name);
  };
  readonly #principal: Access['principal'];
  readonly #services: Services;
  readonly #requestId: string;
  readonly #sources: AnswerSources | undefined;
  readonly #work: RequestScope;
  readonly #asUser: Access['asUser'];
  #now: number | undefined;

  /** `sources`: of a read, whose answer may be given again only where it looks at views alone. */
  constructor(
    input: Input,
    access: Access,
    work: RequestScope,
    services: Services,
    requestId: string,
    sources?: AnswerSources,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.upload = input.upload;
    this.#principal = access.principal;
    this.member = access.member;
    this.workspace = access.workspace;
    this.partner = access.partner;
    this.#services = services;
    this.#requestId = requestId;
    this.#sources = sources;
    this.#work = work;
    this.#asUser = access.asUser;
  }
  get principal() {
    this.#sources?.other();
    return this.#principal;
  }
  get services() {
    this.#sources?.other();
    return this.#services;
  }
  get requestId() {
    this.#sources?.other();
    return this.#requestId;
  }
  get user() {
    this.#sources?.other();
    return this.#asUser?.(() => this.newId('user token'));
  }
  get commands() {
    return this.#work.commands;
  }
  get read() {
    return this.#work.read;
  }
  get now(): number {
    this.#sources?.other();
    this.#now ??= this.#services.clock.now();
    return this.#now;
  }
}

/** Returns a request for any operation: its types were checked against the operation's schemas. */
export const asHandled = (request: OperationRequest): Request<never> => request as unknown as Request<never>;
