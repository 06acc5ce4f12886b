/** Spans on their way to the collector: nothing waits for it, and what it does not take is left out. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../../engine/ports/log.js';
import { errorType } from './errorType.js';

export interface CollectorSettings {
  /** Address of trace exports, such as http://127.0.0.1:4318/v1/traces. */
  readonly url: string;
  /** May hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** For one post with its repetitions, in ms. */
  readonly timeoutMs: number;
  readonly gzip: boolean;
}

/** Minimum time between two log lines about an unstable collector, in ms. */
const TELL_AGAIN_MS = 600_000;

/** A code or a number alone: an answer's text may hold anything. */
function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'number' ? `HTTP ${code}` : (errorType(error) ?? 'no answer');
}

/** Logs once that the collector is unavailable, and once that it is available again. */
class Watched implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #collector: string;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  #away = false;
  #loggedUnavailable = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #lost = 0;

  constructor(exporter: SpanExporter, collector: string, log: Pick<Log, 'info' | 'warn'>) {
    this.#exporter = exporter;
    this.#collector = collector;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.#took();
      else this.#failed(spans.length, result.error);
      done(result);
    });
  }

  #took(): void {
    if (!this.#away) return;
    this.#away = false;
    if (this.#loggedUnavailable)
      this.#log.info({ collector: this.#collector, lost: this.#lost }, 'trace collector available again');
    this.#loggedUnavailable = false;
    this.#lost = 0;
  }

  #failed(spans: number, error: unknown): void {
    this.#lost += spans;
    if (this.#away) return;
    this.#away = true;
    const now = performance.now();
    if (now - this.#loggedAt < TELL_AGAIN_MS) return;
    this.#loggedAt = now;
    this.#loggedUnavailable = true;
    this.#log.warn(
      { collector: this.#collector, error: reasonOf(error) },
      'trace collector unavailable, traces are dropped',
    );
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

/** Posts OTLP in protobuf over HTTP. What else of OTEL_EXPORTER_OTLP_ there is, such as a certificate, the exporter reads itself. */
export function exporterTo(settings: CollectorSettings, log: Pick<Log, 'info' | 'warn'>): SpanExporter {
  const { url, headers, timeoutMs, gzip } = settings;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    // Of its own enumeration, which nothing else would be imported for.
    compression: (gzip ? 'gzip' : 'none') as never,
    // The batches come one after another.
    concurrencyLimit: 2,
  });
  return new Watched(exporter, new URL(url).origin, log);
}
