/** Clients of external services: the channel, its catalogs, the payment provider, and the webhooks of partners. */
import type { Clock } from '../../engine/ports/clock.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import { createCatalogProvider } from '../../infrastructure/channel/catalogProvider.js';
import { createChannelMedia } from '../../infrastructure/channel/channelMedia.js';
import { createChannelMessages } from '../../infrastructure/channel/channelMessages.js';
import { createTemplateProvider } from '../../infrastructure/channel/templateProvider.js';
import { createWaafiPay } from '../../infrastructure/payments/waafiPay.js';
import { createGuardedSender } from '../../infrastructure/webhooks/guardedSender.js';
import { createLocalListeners } from '../../infrastructure/webhooks/localListeners.js';
import type { ChannelKeys } from '../folder/dataFolder.js';
import type { Settings } from '../settings/settings.js';
import type { Undo } from '../shutdown.js';
import type { ServiceSandbox } from './sandbox.js';
import { tracedCalls } from './tracing.js';

/** Version of the channel's interface that the adapters speak. */
const CHANNEL_VERSION = 'v23.0';

interface ClientParts {
  readonly settings: Settings;
  readonly channel: ChannelKeys;
  readonly sandbox: ServiceSandbox | undefined;
  readonly clock: Clock;
  readonly tracing: Tracing | undefined;
  /** Receives the clients to close. */
  readonly undo: Undo;
}

export async function openClients({ settings, channel, sandbox, clock, tracing, undo }: ClientParts) {
  const calls = await tracedCalls(tracing);
  const provider = {
    version: CHANNEL_VERSION,
    baseUrl: settings.channel?.url ?? sandbox?.baseUrl ?? '',
    accessToken: channel.token,
    ...calls.toChannel,
  };
  const messages = createChannelMessages(provider);
  const media = createChannelMedia({ ...provider, mediaHosts: settings.mediaHosts });
  const catalog = createCatalogProvider(provider);
  const templates = createTemplateProvider(provider);
  const listeners = createLocalListeners();
  const sender = calls.webhooks(createGuardedSender({ allowLoopback: settings.allowLoopbackWebhooks, listeners }));
  const paymentUrl = settings.paymentUrl ?? sandbox?.baseUrl;
  const payments =
    paymentUrl === undefined ? undefined : createWaafiPay({ baseUrl: paymentUrl, clock, ...calls.toPayments });
  undo.add('clients of external services', () =>
    Promise.all([
      messages.close(),
      media.close(),
      catalog.close(),
      templates.close(),
      sender.close(),
      payments?.close(),
    ]),
  );
  return { provider: catalog, messages, media, templates, sender, payments, listeners };
}
