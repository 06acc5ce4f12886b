import type { Services } from '../services.js';
import type { Access } from './access.js';
import type { RequestScope } from './requestScope.js';
import type { Input } from './validation.js';

/** A request as its operation sees it. */
export class OperationRequest {
  readonly params: Input['params'];
  readonly query: Input['query'];
  readonly body: unknown;
  readonly upload: Input['upload'];
  readonly principal: Access['principal'];
  readonly member: Access['member'];
  readonly workspace: Access['workspace'];
  readonly partner: Access['partner'];
  readonly services: Services;
  readonly requestId: string;
  /** A field, so that it may be taken out of the object. */
  readonly newId = (name: string): string => this.#work.newId(name);
  readonly #work: RequestScope;
  readonly #asUser: Access['asUser'];
  #now: number | undefined;

  constructor(input: Input, access: Access, work: RequestScope, services: Services, requestId: string) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.upload = input.upload;
    this.principal = access.principal;
    this.member = access.member;
    this.workspace = access.workspace;
    this.partner = access.partner;
    this.services = services;
    this.requestId = requestId;
    this.#work = work;
    this.#asUser = access.asUser;
  }
  get user() {
    return this.#asUser?.(() => this.newId('user token'));
  }
  get commands() {
    return this.#work.commands;
  }
  get read() {
    return this.#work.read;
  }
  get now(): number {
    this.#now ??= this.services.clock.now();
    return this.#now;
  }
}
