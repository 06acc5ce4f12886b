import type { Services } from '../contract/services.js';
import type { Access } from './access.js';
import type { Input } from './input/validation.js';
import type { MadeOf } from './madeOf.js';
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
    this.#madeOf?.other();
    return this.#work.newId(name);
  };
  readonly #principal: Access['principal'];
  readonly #services: Services;
  readonly #requestId: string;
  readonly #madeOf: MadeOf | undefined;
  readonly #work: RequestScope;
  readonly #asUser: Access['asUser'];
  #now: number | undefined;

  /** `madeOf`: of a read, whose answer may be given again only where it looks at views alone. */
  constructor(
    input: Input,
    access: Access,
    work: RequestScope,
    services: Services,
    requestId: string,
    madeOf?: MadeOf,
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
    this.#madeOf = madeOf;
    this.#work = work;
    this.#asUser = access.asUser;
  }
  get principal() {
    this.#madeOf?.other();
    return this.#principal;
  }
  get services() {
    this.#madeOf?.other();
    return this.#services;
  }
  get requestId() {
    this.#madeOf?.other();
    return this.#requestId;
  }
  get user() {
    this.#madeOf?.other();
    return this.#asUser?.(() => this.newId('user token'));
  }
  get commands() {
    return this.#work.commands;
  }
  get read() {
    return this.#work.read;
  }
  get now(): number {
    this.#madeOf?.other();
    this.#now ??= this.#services.clock.now();
    return this.#now;
  }
}
