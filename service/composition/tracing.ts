/** Traces, where a collector is configured. The SDK is loaded here and nowhere else. */
import type { WebhookSender } from '../../application/ports/webhookSender.js';
import type { RunningCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import type { RunningTracing, TracingSettings } from '../../infrastructure/telemetry/tracing.js';
import { release } from '../release.js';
import { SettingsError } from '../settings/environment.js';
import { KEYED_STREAMS } from './privacy/vaults.js';

/** `instance`: name of this process. Rejects with SettingsError where the SDK is not installed. */
export async function openTracing(tracing: TracingSettings, instance: string, log: Log): Promise<RunningTracing> {
  const { createTracing } = await import('../../infrastructure/telemetry/tracing.js').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new SettingsError(
      'A trace collector is configured (OTEL_EXPORTER_OTLP_ENDPOINT), but the OpenTelemetry SDK is not installed. Install Suuq without --omit=optional, or remove the setting.',
    );
  });
  return createTracing({ ...tracing, version: release.version, instance, log });
}

/** How commands and appends are written as spans; as they are where no traces are. */
export async function tracedStore(tracing: Tracing | undefined) {
  if (tracing === undefined)
    return {
      appends: (store: EventStore, _system: 'eventstoredb' | 'sqlite') => store,
      commands: (handler: RunningCommandHandler) => handler,
    };
  const { tracedAppends, tracedCommands } = await import('../../infrastructure/telemetry/tracedStore.js');
  return {
    appends: (store: EventStore, system: 'eventstoredb' | 'sqlite') => tracedAppends(store, tracing, system),
    commands: (handler: RunningCommandHandler) => tracedCommands(handler, tracing, KEYED_STREAMS),
  };
}

/** Traced clients for outgoing requests: the channel with its catalog and templates, the payment provider, webhooks. */
export async function tracedCalls(tracing: Tracing | undefined) {
  if (tracing === undefined) return { toChannel: {}, toPayments: {}, webhooks: (sender: WebhookSender) => sender };
  const { tracedRequest, tracedSender } = await import('../../infrastructure/telemetry/tracedCalls.js');
  return {
    toChannel: { request: tracedRequest(tracing, 'channel') },
    toPayments: { request: tracedRequest(tracing, 'payments') },
    webhooks: (sender: WebhookSender) => tracedSender(sender, tracing),
  };
}
