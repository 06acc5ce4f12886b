/**
 * Traces by the OpenTelemetry SDK, for one service of this process: nothing of it is global. Imported when traces are configured, so
 * that nobody else pays for the SDK; the rest of the code knows the port alone.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../../engine/ports/log.js';
import type { Span, SpanPlan, TracePlace, TraceWords, Tracing } from '../../engine/ports/tracing.js';
import { errorType } from './errorType.js';
import type { SamplerSettings } from './samplers.js';
import { samplerOf } from './sdkSampler.js';
import { placeInHeaders, placeOfSpan, spanContextOf } from './traceContext.js';
import { type CollectorSettings, exporterTo } from './traceExporter.js';

export interface TracingSettings {
  readonly collector: CollectorSettings;
  readonly sampler: SamplerSettings;
  /** Spans that wait for the collector; more are left out. And those of one post, and ms between two. */
  readonly queue: { readonly most: number; readonly batch: number; readonly delayMs: number };
  /** `service.name` and the operator's other attributes of this service. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface TracingOptions extends TracingSettings {
  readonly version: string;
  readonly instance: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface RunningTracing extends Tracing {
  /** For each line of the log; empty outside of spans. */
  logFields(): { readonly trace_id?: string; readonly span_id?: string };
  /** Sends what waits, for 2 s at most. */
  close(): Promise<void>;
  /** Once closed: whether a post to the collector, or the wait before its repetition, was left behind. */
  isAbandoned(): boolean;
}

const CLOSE_MS = 2000;
/** Longer values of attributes are cut. */
const LONGEST_VALUE = 256;
const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

class RunningSpan implements Span {
  readonly span: OtelSpan;
  /** True once its end is recorded: errors after that add nothing. */
  #settled = false;
  #place: TracePlace | undefined;

  constructor(span: OtelSpan) {
    this.span = span;
  }

  get place(): TracePlace {
    this.#place ??= placeOfSpan(this.span.spanContext());
    return this.#place;
  }

  note(words: TraceWords): void {
    for (const [name, value] of Object.entries(words)) if (value !== undefined) this.span.setAttribute(name, value);
  }

  failed(type: string): void {
    if (this.#settled) return;
    this.#settled = true;
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  refused(code: string): void {
    this.#settled = true;
    this.span.setAttribute('suuq.refused', code);
  }
}

class SdkTracing implements RunningTracing {
  readonly #here = new AsyncLocalStorage<RunningSpan>();
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #log: Pick<Log, 'warn'>;
  #isLate = false;

  constructor({ collector, sampler, queue, resource, version, instance, log }: TracingOptions) {
    this.#provider = new TracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({ 'service.version': version, 'service.instance.id': instance, ...resource }),
      ),
      sampler: samplerOf(sampler),
      spanLimits: { attributeValueLengthLimit: LONGEST_VALUE, linkCountLimit: 64 },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: exporterTo(collector, log),
          maxQueueSize: queue.most,
          maxExportBatchSize: queue.batch,
          scheduledDelayMillis: queue.delayMs,
        }),
      ],
    });
    this.#log = log;
    this.#tracer = this.#provider.getTracer('suuq', version);
  }

  async during<R>(plan: SpanPlan, work: (span: Span) => Promise<R>): Promise<R> {
    const span = this.#begin(plan);
    try {
      return await this.#here.run(span, work, span);
    } catch (error) {
      span.failed(errorType(error) ?? 'unknown');
      throw error;
    } finally {
      span.span.end();
    }
  }

  current(): Span | undefined {
    return this.#here.getStore();
  }

  placeIn(headers: Parameters<Tracing['placeIn']>[0]): TracePlace | undefined {
    return placeInHeaders(headers);
  }

  logFields(): { readonly trace_id?: string; readonly span_id?: string } {
    const context = this.#here.getStore()?.span.spanContext();
    return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS, true);
    });
    // Failed exports are logged at their place.
    const over = this.#provider.shutdown().then(
      () => false,
      () => false,
    );
    this.#isLate = await Promise.race([over, late]);
    clearTimeout(timer);
    if (this.#isLate) this.#log.warn({}, 'traces dropped at shutdown, collector did not accept them in time');
  }

  isAbandoned(): boolean {
    return this.#isLate;
  }

  #begin({ name, kind, words, parent, links = [] }: SpanPlan): RunningSpan {
    const contexts = links.map(spanContextOf).filter((context) => context !== undefined);
    const options = { kind: KINDS[kind], attributes: { ...words }, links: contexts.map((context) => ({ context })) };
    return new RunningSpan(this.#tracer.startSpan(name, options, this.#contextOf(parent)));
  }

  #contextOf(parent: SpanPlan['parent']): Context {
    if (parent === 'none') return ROOT_CONTEXT;
    if (parent === undefined) {
      const here = this.#here.getStore();
      return here === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, here.span);
    }
    const context = spanContextOf(parent);
    return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
  }
}

/** Begins with the first span. */
export const createTracing = (options: TracingOptions): RunningTracing => new SdkTracing(options);
