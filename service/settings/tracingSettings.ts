/** Settings of traces, with the names of OpenTelemetry. (Its 'Environment Variable Specification'.) */
import { SAMPLERS, type SamplerSettings } from '../../infrastructure/telemetry/samplers.js';
import type { TracingSettings } from '../../infrastructure/telemetry/tracing.js';
import { address, type Env, oneOf, SettingsError, settingValue, wholeNumber } from './environment.js';

const MOST_MS = 600_000;
const MOST_SPANS = 65_536;
/** Limit of all resource attributes together, and of all header fields. */
const MOST_CHARACTERS = 4096;

/** `name=value` between commas, values percent-encoded. The text may hold a credential and is not repeated. Throws SettingsError. */
function pairs(env: Env, name: string): Readonly<Record<string, string>> {
  const text = settingValue(env, name);
  if (text === undefined) return {};
  const wrong = (): never => {
    throw new SettingsError(
      `${name} is not a list of names and values: it must look like name=value,other=value with percent-encoded values, ${MOST_CHARACTERS} characters at most.`,
    );
  };
  if (text.length > MOST_CHARACTERS) wrong();
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, key, value] = /^\s*([A-Za-z0-9._-]+)\s*=\s*([^\r\n]*?)\s*$/.exec(pair) ?? wrong();
      try {
        return [key!, decodeURIComponent(value!)];
      } catch {
        return wrong();
      }
    }),
  );
}

/** A number from 0 to 1. Throws SettingsError. */
function ratio(env: Env): number {
  const text = settingValue(env, 'OTEL_TRACES_SAMPLER_ARG');
  if (text === undefined) return 1;
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 1))
    throw new SettingsError(
      `OTEL_TRACES_SAMPLER_ARG is ${JSON.stringify(text)}, but must be a number from 0 to 1, such as 0.05.`,
    );
  return number;
}

const sampler = (env: Env): SamplerSettings => ({
  name: oneOf(env, 'OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
  ratio: ratio(env),
});

function tracesUrl(env: Env): string | undefined {
  const own = address(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (own !== undefined) return own;
  const base = address(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  return base === undefined ? undefined : `${base}/v1/traces`;
}

/** Undefined where no traces are written: no collector is named, or they are turned off. Throws SettingsError. */
export function readTracingSettings(env: Env): TracingSettings | undefined {
  const url = tracesUrl(env);
  const exporter = oneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp');
  const isOff = settingValue(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  if (url === undefined || exporter === 'none' || isOff) return undefined;
  // It has no other way; a collector that takes gRPC alone takes nothing of this.
  oneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf');
  const most = wholeNumber(env, 'OTEL_BSP_MAX_QUEUE_SIZE', MOST_SPANS, 2048);
  const service = settingValue(env, 'OTEL_SERVICE_NAME');
  return {
    collector: {
      url,
      headers: { ...pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'), ...pairs(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS') },
      timeoutMs: wholeNumber(env, 'OTEL_EXPORTER_OTLP_TIMEOUT', MOST_MS, 10_000),
      gzip: oneOf(env, 'OTEL_EXPORTER_OTLP_COMPRESSION', ['none', 'gzip'], 'none') === 'gzip',
    },
    sampler: sampler(env),
    queue: {
      most,
      batch: Math.min(most, wholeNumber(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', MOST_SPANS, 512)),
      delayMs: wholeNumber(env, 'OTEL_BSP_SCHEDULE_DELAY', MOST_MS, 5000),
    },
    resource: {
      'service.name': 'suuq',
      ...pairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
      ...(service !== undefined && { 'service.name': service }),
    },
  };
}
