/** The way of a request through its operation, in one order for all of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defined } from '../../domain/defined.js';
import { bodyLimitOf, INLINE_BODY } from '../contract/bodyLimits.js';
import type { Operation, RuleRequest, UploadRule } from '../contract/operation.js';
import { problemOf, Refusal } from '../contract/problems.js';
import type { Route } from '../contract/routes.js';
import {
  type Access,
  admitUser,
  authorise,
  checkBodyWhenClosed,
  countBytes,
  type Guard,
  type Known,
} from './access.js';
import { AnswerSources } from './answerSources.js';
import { answerKnown, answerRead, etagOf, isMatched } from './conditional.js';
import { API_HEADERS, countAddress, fail, finished, type PipelineContext, reserveFor } from './context.js';
import { deprecation } from './deprecation.js';
import { Exchange, JSON_TYPE, PROBLEM_TYPE } from './exchange.js';
import { entryId, fingerprintOf, idempotencyKeyOf, type Run } from './idempotency/idempotency.js';
import { withRules } from './input/bodyRules.js';
import { NO_BODY, parsedBody, type ReadBody, readJsonBytes } from './input/input.js';
import { readForm } from './input/multipart.js';
import { compileInput, type Input, plain, type Validate } from './input/validation.js';
import { type ListMaking, listMaking } from './listMaking.js';
import { asHandled, OperationRequest } from './operationRequest.js';
import { answered, isPassing, type Outcome } from './outcome.js';
import { RequestScope } from './requestScope.js';
import { inTrace } from './requestTrace.js';
import { sendOutcome } from './sendOutcome.js';
import type { SessionInput } from './sessionAccess.js';
import type { Turns } from './turns.js';

type Params = Readonly<Record<string, string>>;
/** Operation that reads the path of an update, and the queue of its updates. */
export interface Updates {
  readonly read: Operation;
  readonly turns: Turns;
}

/** A condition that cannot be checked is not ignored: its sender would overwrite what somebody else has written. */
const NO_ETAG = 'This operation does not support If-Match. Send the request without If-Match.';

/** `seed`: of the Idempotency-Key. `sources`: records the dependencies of a read's answer. */
interface Made {
  readonly seed?: string;
  readonly sources?: AnswerSources | undefined;
}

export interface Pipeline {
  /** Answers the request, whatever happens. */
  serve(request: IncomingMessage, response: ServerResponse, params: Params): void;
  /** Compiles the schemas now, so that the first request need not. Throws for a schema that is not valid. */
  prepare(): void;
}

class OperationPipeline {
  readonly #operation: Operation;
  readonly #route: Route;
  readonly #context: PipelineContext;
  #validate: Validate | undefined;
  readonly #guard: Guard;
  readonly #headers: Record<string, string>;
  /** Its answers have an ETag. Not the console's: it keeps nothing. */
  readonly #conditional: boolean;
  /** Present if the changed thing has an ETag, which If-Match may name. */
  readonly #updates: Updates | undefined;
  /** Its pages, where other threads make them too. */
  readonly #lists: ListMaking | undefined;

  constructor(
    operation: Operation,
    route: Route,
    context: PipelineContext,
    known: Known | undefined,
    updates: Updates | undefined,
  ) {
    this.#updates = updates;
    this.#operation = operation;
    this.#route = route;
    this.#context = context;
    const { services, keyLimiter, userLimiter, signIns } = context;
    const { directory, clock } = services;
    this.#guard = {
      directory,
      keyLimiter,
      userLimiter,
      signIns,
      known,
      now: () => clock.now(),
      steadyNow: () => clock.steady.now(),
    };
    this.#headers = { ...API_HEADERS, ...deprecation(operation) };
    this.#conditional = route.method === 'GET' && known === undefined;
    this.#lists = this.#conditional ? listMaking(operation, context) : undefined;
  }

  prepared(): Validate {
    this.#validate ??= compileInput(this.#operation);
    return this.#validate;
  }

  async run(request: IncomingMessage, response: ServerResponse, params: Params): Promise<void> {
    const exchange = new Exchange(request, response, this.#operation.id, this.#headers, this.#context.lifecycle);
    try {
      const counting = countAddress(exchange, this.#context);
      if (counting !== undefined) await counting;
      if (this.#conditional) return await this.#read(exchange, params);
      const { access, input } = await this.#admitted(exchange, params);
      // Removes a file that no event names, however the request ended. A failure is logged where it occurs.
      try {
        await this.#answered(exchange, access, input);
      } finally {
        await input.upload?.discard().catch(() => undefined);
      }
    } catch (error) {
      fail(exchange, error, this.#context);
    } finally {
      exchange.reserved?.release();
    }
  }

  /** Serves a cached answer after the access checks. Its URL was valid when it was cached. */
  async #read(exchange: Exchange, params: Params): Promise<void> {
    const { answers } = this.#context;
    const access = await authorise(this.#operation, this.#route, params, exchange, this.#guard);
    const url = exchange.request.url!;
    const known = answers?.find(access, url);
    const status = known && answerKnown(exchange, known);
    if (status !== undefined) return finished(exchange, status, this.#context);
    const input = this.prepared()(params, url, NO_BODY);
    const sources = answers && new AnswerSources(answers.moment);
    if (this.#lists !== undefined && sources !== undefined) {
      const made = await this.#lists.make(access, input, sources);
      if (made !== undefined) return this.#sendRead(exchange, access, sources, made.bytes, made.etag);
    }
    const outcome = await this.#handled(exchange, access, input, { sources });
    const { text } = outcome;
    if (outcome.status !== 200 || text === undefined) return sendOutcome(exchange, outcome, this.#context);
    if (sources !== undefined) this.#lists?.learn(sources);
    this.#sendRead(exchange, access, sources, text, etagOf(text));
  }

  #sendRead(
    exchange: Exchange,
    access: Access,
    sources: AnswerSources | undefined,
    content: string | Buffer,
    etag: string,
  ): void {
    const { answers } = this.#context;
    const { url } = exchange.request;
    const retained = sources?.onlyViews ? answers?.store(access, url!, sources, content, etag) : undefined;
    finished(exchange, answerRead(exchange, retained ?? content, etag), this.#context);
  }

  async #answered(exchange: Exchange, access: Access, input: Input): Promise<void> {
    const header = exchange.request.headers['idempotency-key'];
    const key = this.#operation.idempotent ? idempotencyKeyOf(header) : undefined;
    if (key === undefined) await sendOutcome(exchange, await this.#updated(exchange, access, input), this.#context);
    else await this.#withKey(exchange, access, input, key);
  }

  /** Authenticates before the body is read, except for a user token, which is in the body. */
  async #admitted(exchange: Exchange, params: Params): Promise<{ access: Access; input: Input }> {
    const { request } = exchange;
    const operation = this.#operation;
    if (operation.credential === 'user_token') {
      const limit = bodyLimitOf(operation);
      const bytes = await readJsonBytes(request, limit, reserveFor(exchange, this.#context));
      const body = bytes === undefined ? NO_BODY : parsedBody(bytes, limit);
      const input = this.prepared()(params, request.url!, body);
      return { access: await admitUser(operation, input.body as SessionInput, exchange, this.#guard), input };
    }
    const access = await authorise(operation, this.#route, params, exchange, this.#guard);
    if (operation.upload !== undefined) return { access, input: await this.#uploaded(exchange, params, access) };
    const body = operation.body === undefined ? NO_BODY : await this.#body(exchange, access);
    const input = await this.#checked(exchange, access, params, body);
    checkBodyWhenClosed(operation, access, input.body);
    return { access, input };
  }

  /** Refuses with all problems: those of the schemas, and those of the operation's rules. */
  #checked(exchange: Exchange, access: Access, params: Params, body: ReadBody): Input | Promise<never> {
    try {
      return this.prepared()(params, exchange.request.url!, body);
    } catch (error) {
      const { rules } = this.#operation;
      if (rules === undefined) throw error;
      const { request } = this.#request(exchange, access, { params, query: {}, body: undefined });
      const refused = { body: body.value, request: request as RuleRequest, fits: false };
      return withRules(error, rules, refused).then((all) => Promise.reject(all));
    }
  }

  async #body(exchange: Exchange, access: Access): Promise<ReadBody> {
    const limit = bodyLimitOf(this.#operation);
    const bytes = await readJsonBytes(exchange.request, limit, reserveFor(exchange, this.#context));
    if (bytes === undefined) return NO_BODY;
    return bytes.length <= INLINE_BODY ? parsedBody(bytes, limit) : this.#largeBody(exchange, access, bytes, limit);
  }

  /** Counted by its size, and looked at elsewhere. */
  async #largeBody(exchange: Exchange, access: Access, bytes: Buffer, limit: number): Promise<ReadBody> {
    const { principal } = access;
    const { id, idempotent, body, rules } = this.#operation;
    await countBytes(exchange, principal, this.#guard, bytes.length);
    const { url, headers } = exchange.request;
    const withKey = idempotent === true && headers['idempotency-key'] !== undefined;
    return this.#context.largeBodies.check({
      who: principal.partnerId ?? principal.workspaceId ?? principal.keyId,
      operation: id,
      schema: () => plain(body),
      fits: this.prepared().bodyFits,
      bytes,
      limit,
      hasRules: rules !== undefined,
      ...(withKey && { request: { method: this.#route.method, url: url! } }),
    });
  }

  /** The file is stored before its Idempotency-Key is looked at: its digest is part of what makes the request the same. */
  async #uploaded({ request }: Exchange, params: Params, access: Access): Promise<Input> {
    const input = this.prepared()(params, request.url!, NO_BODY);
    const { field, mostBytes, take } = this.#operation.upload as UploadRule;
    const upload = await readForm(request, {
      field,
      mostBytes,
      take: (file) => take(file, { workspace: access.workspace!, services: this.#context.services }),
      discard: (taken) => taken.discard(),
    });
    const { name, mimeType, sha256 } = upload;
    return { ...input, body: { name, mimeType, sha256 }, upload };
  }

  /**
   * Updates of one thing take turns in this process, so that nobody comes between the comparison of an ETag and the change. `seed`: of the
   * Idempotency-Key.
   */
  #updated(exchange: Exchange, access: Access, input: Input, seed?: string): Promise<Outcome> {
    const handled = (): Promise<Outcome> => this.#handled(exchange, access, input, defined({ seed }));
    const requested = exchange.request.headers['if-match'];
    if (this.#updates === undefined) {
      if (requested !== undefined && this.#route.method !== 'GET')
        return Promise.reject(new Refusal('precondition_failed', NO_ETAG));
      return handled();
    }
    const { read, turns } = this.#updates;
    const owner = access.workspace?.workspaceId ?? access.partner?.partnerId;
    return turns.run(`${owner} ${this.#route.path} ${JSON.stringify(input.params)}`, async () => {
      if (requested !== undefined) await this.#checkMatch(exchange, access, input, read, requested);
      return handled();
    });
  }

  /** Refuses `precondition_failed` where the thing is not what the client has read. */
  async #checkMatch(
    exchange: Exchange,
    access: Access,
    input: Input,
    read: Operation,
    requested: string,
  ): Promise<void> {
    const request = { ...input, query: {}, body: undefined };
    const { text, file } = await this.#handled(exchange, access, request, {}, read);
    const etag = file?.etag ?? etagOf(text ?? '');
    exchange.headers.ETag = etag;
    if (!isMatched(requested, etag))
      throw new Refusal(
        'precondition_failed',
        'The object has changed since you read it, or If-Match is not one of its ETags.',
      );
    delete exchange.headers.ETag;
  }

  /** The request as its operation sees it, with what it is bound to. `seed`: of the Idempotency-Key. `sources`: of a read. */
  #request(
    exchange: Exchange,
    access: Access,
    input: Input,
    { seed, sources }: Made = {},
    operation: Operation = this.#operation,
  ): { work: RequestScope; request: OperationRequest } {
    const { services, progress, acknowledged } = this.#context;
    const { requestId } = exchange;
    const { principal, member, workspace, partner } = access;
    const owner = this.#route.about === 'session' ? principal : undefined;
    const work = new RequestScope({
      services,
      progress,
      acknowledged,
      principal,
      memberId: member?.memberId,
      requestId,
      workspaceId: workspace?.workspaceId ?? owner?.workspaceId,
      partnerId: workspace?.partnerId ?? partner?.partnerId ?? owner?.partnerId,
      seed,
      operation: operation.id,
      params: input.params,
      query: input.query,
      counted: exchange,
      sources,
    });
    return { work, request: new OperationRequest(input, access, work, services, requestId, sources) };
  }

  async #handled(
    exchange: Exchange,
    access: Access,
    input: Input,
    made: Made = {},
    operation: Operation = this.#operation,
  ): Promise<Outcome> {
    const { services } = this.#context;
    const { work, request } = this.#request(exchange, access, input, made, operation);
    // The declaration gives `handle` its types, and the validation has just made them true.
    const handling = operation.handle(asHandled(request));
    const { rules } = operation;
    const answer = await (rules === undefined
      ? handling
      : handling.catch(async (error) => {
          throw await withRules(error, rules, { body: input.body, request: request as RuleRequest, fits: true });
        }));
    if (operation.changesAccess) {
      await work.shown();
      services.directory.forget();
    } else {
      const settling = work.settled();
      if (settling !== undefined) await settling;
    }
    return answered(answer);
  }

  async #withKey(exchange: Exchange, access: Access, input: Input, key: string): Promise<void> {
    const { idempotency } = this.#context;
    const { request } = exchange;
    const id = entryId(access.caller, this.#operation.id, key);
    const fingerprint = input.fingerprint ?? fingerprintOf(this.#route.method, request.url!, input.body);
    const started = await idempotency.begin(id, fingerprint, access.caller);
    if ('replay' in started) {
      const { status, body } = started.replay;
      exchange.headers['Idempotent-Replayed'] = 'true';
      if (status >= 400 && body !== undefined) this.#replayProblem(exchange, body);
      const contentType = status >= 400 ? PROBLEM_TYPE : JSON_TYPE;
      await sendOutcome(exchange, { status, text: body, contentType, stored: started.replay }, this.#context);
      return;
    }
    const outcome = await this.#settled(exchange, access, input, started.run);
    if (outcome.failure === undefined) await sendOutcome(exchange, outcome, this.#context);
    else fail(exchange, outcome.error, this.#context);
  }

  /** A problem names the request that it was the answer to; the one that repeats it is named in a header field of its own. */
  #replayProblem(exchange: Exchange, body: string): void {
    const { code, requestId } = JSON.parse(body) as { code?: string; requestId?: string };
    exchange.code = code;
    if (requestId === undefined) return;
    exchange.headers['Idempotent-Replay-Request-Id'] = exchange.requestId;
    exchange.headers['X-Request-Id'] = requestId;
  }

  /** Runs the request under its key, and keeps what came of it. */
  async #settled(exchange: Exchange, access: Access, input: Input, run: Run): Promise<Outcome> {
    const outcome = await this.#updated(exchange, access, input, run.seed).catch((error) =>
      this.#failed(exchange, error),
    );
    const passes = outcome.failure !== undefined && isPassing(outcome.failure);
    // The change is made even if its answer cannot be stored: after the lease expires, the key may run again.
    await (passes ? run.release() : run.store(outcome.stored)).catch((error) =>
      this.#context.log.warn({ requestId: exchange.requestId, err: error }, 'idempotency key not settled'),
    );
    return outcome;
  }

  #failed(exchange: Exchange, error: unknown): Outcome {
    const failure = problemOf(error, this.#context.baseUrl(), exchange.requestId);
    const text = JSON.stringify(failure.problem);
    const { status } = failure.problem;
    return { status, text, contentType: PROBLEM_TYPE, stored: { status, body: text }, failure, error };
  }
}

/**
 * Prepares everything that does not depend on the request; schemas take a few ms each and are compiled at first use.
 * `known` replaces the bearer credential. `updates` is absent where nothing has an ETag.
 */
export function pipelineOf(
  operation: Operation,
  route: Route,
  context: PipelineContext,
  known?: Known,
  updates?: Updates,
): Pipeline {
  const pipeline = new OperationPipeline(operation, route, context, known, updates);
  const { tracing } = context;
  const routed = { ...route, operation: operation.id };
  return {
    serve:
      tracing === undefined
        ? (request, response, params) => void pipeline.run(request, response, params)
        : (request, response, params) =>
            inTrace(tracing, routed, request, () => pipeline.run(request, response, params)),
    prepare: () => void pipeline.prepared(),
  };
}
