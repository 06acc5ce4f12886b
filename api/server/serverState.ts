import { randomUUID } from 'node:crypto';
import { UsedTokens } from '../../application/access/usedTokens.js';
import { UserTokens } from '../../application/access/userTokens.js';
import { RequestLog } from '../../application/console/requestLog.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import type { ViewChanges } from '../../engine/projections/viewChanges.js';
import { bodyBudget, DEFAULT_BODY_MEMORY } from '../../infrastructure/http/bodyBudget.js';
import type { Services, ViewProgress } from '../contract/services.js';
import { AnswerCache } from '../http/answerCache.js';
import type { PipelineContext } from '../http/context.js';
import type { Lifecycle } from '../http/exchange.js';
import { Idempotency } from '../http/idempotency/idempotency.js';
import { largeBodies } from '../http/input/largeBodies.js';
import type { Metrics } from '../http/metrics.js';
import type { PageMakers } from '../http/pageMakers.js';
import { type RateLimiter, type RateSettings, rateLimiter } from '../http/rates/rateLimit.js';
import { SharedRates } from '../http/rates/sharedRates.js';

export interface ServerStateOptions {
  readonly services: Services;
  readonly settings: {
    readonly rates: RateSettings;
    readonly trustProxy: number;
    readonly bodyMemory?: number;
  };
  readonly progress: ViewProgress;
  /** Present where one process takes all commands: reads then wait for what was acknowledged, and commands for nothing. */
  readonly acknowledged?: Acknowledged | undefined;
  /** With it, the views of a store are not read again until they may have changed. */
  readonly changes?: ViewChanges | undefined;
  /** Threads that render pages of lists; absent: this thread renders all of them. */
  readonly pageMakers?: PageMakers | undefined;
  readonly metrics: Metrics;
  /** Log of requests; created if absent. */
  readonly requestLog?: RequestLog;
  readonly log: Log;
  /** Requests to operations and to the channel's webhook are spans; absent where no traces are written. */
  readonly tracing?: Tracing | undefined;
  /** Returns true if read models may still show erased customers: answers are then stored without their bodies. */
  mayShowErased?(): Promise<boolean>;
  /** Retries a step while an engine is unavailable; absent: one attempt. */
  patient?<T>(step: () => Promise<T>): Promise<T>;
  /**
   * No other process uses `services.work`: Idempotency-Keys that were in flight when the last one ended are released, and
   * rate limits are counted in memory.
   */
  readonly soleUser: boolean;
}

/** Creates the cache of answers if this process sees every change before it may be missed. */
const answersOf = ({ changes, acknowledged }: ServerStateOptions): AnswerCache | undefined =>
  changes && acknowledged && new AnswerCache(changes, acknowledged);

/** State of the server between requests, in memory and in the work database. */
export class ServerState {
  readonly #options: ServerStateOptions;
  readonly #idempotency: Idempotency;
  readonly #used: UsedTokens;
  /** Absent: rates are counted in memory. */
  readonly #rates: SharedRates | undefined;

  constructor(options: ServerStateOptions) {
    const { services, log, soleUser, mayShowErased } = options;
    const { work, clock, commandHandler } = services;
    this.#options = options;
    this.#idempotency = new Idempotency(work, clock, undefined, mayShowErased);
    this.#rates = soleUser ? undefined : new SharedRates(work, clock, log);
    this.#used = new UsedTokens(work, clock, commandHandler);
  }

  /** Returns the context of all requests. `baseUrl`: base address in links. */
  contextOf(services: Services, lifecycle: Lifecycle, baseUrl: () => string): PipelineContext {
    const { progress, acknowledged, pageMakers, settings, metrics, requestLog, log, tracing } = this.#options;
    return {
      services,
      progress,
      acknowledged,
      answers: answersOf(this.#options),
      pageMakers,
      idempotency: this.#idempotency,
      ipLimiter: this.#limiter('ip'),
      keyLimiter: this.#limiter('key'),
      userLimiter: this.#limiter('user'),
      signIns: { tokens: new UserTokens(services), used: this.#used },
      trustProxy: settings.trustProxy,
      bodies: bodyBudget(settings.bodyMemory ?? DEFAULT_BODY_MEMORY),
      largeBodies: largeBodies(),
      lifecycle,
      metrics,
      requestLog: requestLog ?? new RequestLog(randomUUID()),
      log,
      tracing,
      baseUrl,
    };
  }

  /** Loads the stored state, with retries while the engine is unavailable. */
  async start(): Promise<void> {
    const { patient = (step) => step(), soleUser } = this.#options;
    await patient(async () => {
      await this.#idempotency.start();
      await this.#used.start();
      await this.#rates?.start();
      if (soleUser) await this.#idempotency.releaseAll();
    });
  }

  /** Stops timers. Requests in flight are still served. */
  stopTimers(): void {
    this.#used.stop();
    this.#rates?.stop();
  }

  /** Resolves when the answers of the last requests are stored. */
  stop(): Promise<void> {
    return this.#idempotency.stop();
  }

  /** Ends after a failed start, without waiting. */
  interrupt(): void {
    void this.stop();
    this.stopTimers();
  }

  #limiter(name: 'ip' | 'key' | 'user'): RateLimiter | undefined {
    const { rates } = this.#options.settings;
    return this.#rates?.limiter(name, rates[name]) ?? rateLimiter(name, rates[name]);
  }
}
