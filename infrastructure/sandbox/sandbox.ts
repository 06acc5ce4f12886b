/** A simulation of the channel, its catalog provider and the payment provider: a small HTTP server that implements their protocols. */

import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Clock } from '../../engine/ports/clock.js';
import type { Log } from '../../engine/ports/log.js';
import { DEFAULT_CONNECTIONS, endSocket, limitConnections, rawAnswer, requestTimeouts } from '../http/connections.js';
import { close, listen, shownHost } from '../http/listen.js';
import { ownHosts } from '../http/ownHosts.js';
import { type CatalogEntry, SandboxCatalogs } from './catalogs.js';
import { type ChatEntry, createChats, type SandboxChats } from './chats.js';
import { controlApi, type SandboxNumber } from './controlApi.js';
import { createFaults } from './faults.js';
import { graphApi, graphRefusal } from './graphApi.js';
import { createGate } from './graphGate.js';
import { type JournalState, noJournal, openJournal } from './journal.js';
import { type MediaEntry, SandboxMediaStore } from './media.js';
import { mediaApi } from './mediaApi.js';
import { createNumberDirectory } from './numberDirectory.js';
import { paymentApi } from './paymentApi.js';
import { createPayments, type PaymentEntry, type SandboxPayments } from './payments.js';
import { sandboxRoutes } from './routes.js';
import { createSendLimits } from './sendLimits.js';
import { createSentMessages, resendStatuses } from './sentMessages.js';
import { defaultSettings } from './settings.js';
import { templateApi } from './templateApi.js';
import { SandboxTemplates, type TemplateEntry } from './templates.js';
import { WebhookCalls } from './webhookCalls.js';

export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Names and addresses under which it is addressed, in addition to loopback names. */
  readonly allowedHosts?: readonly string[];
  /** File from which a restart restores the state. Default: in memory only. */
  readonly stateFile?: string;
  /** The service's webhook: the only address the sandbox ever calls. */
  readonly webhookUrl: () => string;
  /** Address of the service's console with the phone; absent: unknown. */
  readonly consoleUrl?: () => string | undefined;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Bearer token that the provider's endpoints require. */
  readonly accessToken: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a review takes, ms; 1,000 when absent. */
  readonly reviewMs?: number;
  /** Reports sent and delivered. Default: true. POST /sandbox/settings changes it. */
  readonly statuses?: boolean;
  /** The business numbers that the page offers. */
  readonly numbers?: () => Promise<readonly SandboxNumber[]>;
}

export interface Sandbox {
  /** Such as http://127.0.0.1:4010. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

const REVIEW_MS = 1_000;
/** Longest time for a request to come in whole, in ms: files of 100 MB among them. */
const REQUEST_MS = 300_000;
const refusedAs = (code: string | undefined): string =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
/** Next to the state file. */
const MEDIA_FOLDER = 'sandbox-media';

interface JournaledParts {
  readonly catalogs: SandboxCatalogs;
  readonly chats: SandboxChats;
  readonly media: SandboxMediaStore;
  readonly templates: SandboxTemplates;
  readonly payments: SandboxPayments;
}

/** State that the journal restores after a restart. */
const journaled = ({ catalogs, chats, media, templates, payments }: JournaledParts): JournalState => ({
  apply(entry) {
    const known = entry as CatalogEntry | ChatEntry | MediaEntry | TemplateEntry | PaymentEntry;
    if (known.kind === 'catalog') catalogs.apply(known);
    else if (known.kind === 'message') chats.apply(known);
    else if (known.kind === 'media') media.apply(known);
    else if (known.kind === 'template') templates.apply(known);
    else if (known.kind === 'payment') payments.apply(known);
  },
  *entries() {
    yield* catalogs.entries();
    yield* chats.entries();
    yield* media.entries();
    yield* templates.entries();
    yield* payments.entries();
  },
});

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, log, accessToken, reviewMs = REVIEW_MS } = options;
  const catalogs = new SandboxCatalogs(clock, reviewMs);
  const chats = createChats();
  const payments = createPayments(clock);
  const media = new SandboxMediaStore(clock, options.stateFile && join(dirname(options.stateFile), MEDIA_FOLDER));
  const faults = createFaults();
  const settings = defaultSettings(options.statuses ?? true);
  const templates = new SandboxTemplates({
    clock,
    reviewMs: () => (settings.templateReview === 'automatic' ? reviewMs : undefined),
    save: (entry) => journal.append(entry),
    notify: (update) => webhook.account(update),
  });
  const retained = journaled({ catalogs, chats, media, templates, payments });
  const journal = options.stateFile === undefined ? noJournal : await openJournal(options.stateFile, retained);
  await media.tidy();
  const directory = createNumberDirectory(options.numbers ?? (async () => []), clock);
  const webhook = new WebhookCalls({
    url: options.webhookUrl,
    appSecret: options.appSecret,
    verifyToken: options.verifyToken,
    displayOf: (phoneNumberId) => directory.known(phoneNumberId)?.displayPhoneNumber ?? phoneNumberId,
    businessAccountOf: (phoneNumberId) => directory.known(phoneNumberId)?.businessAccountId,
    clock,
    log,
  });
  const templatesOf = async (phoneNumberId: string) =>
    templates.list((await directory.find(phoneNumberId))?.businessAccountId);
  const sendMessage = createSentMessages({
    chats,
    webhook,
    journal,
    clock,
    settings,
    limits: createSendLimits(clock),
    file: (id) => media.find(id),
    templatesOf,
  });
  templates.resume();

  const closing = new AbortController();
  const { routes: app, listener } = sandboxRoutes(
    graphRefusal,
    async (notFound) => {
      const { pageApp } = await import('./pageApp.js');
      return pageApp(notFound, () => options.consoleUrl?.());
    },
    ownHosts(options),
  );
  const gate = createGate(accessToken, faults, closing.signal);
  graphApi(app, { catalogs, media, templates, gate, journal, sendMessage });
  mediaApi(app, { media, gate, journal, closing: closing.signal });
  templateApi(app, { templates, gate });
  paymentApi(app, { payments, faults, journal, clock });
  controlApi(app, {
    ...{ catalogs, chats, media, templates, faults, journal, webhook, clock, settings },
    numbers: directory.all,
    templatesOf,
  });
  const server = createServer(requestTimeouts(REQUEST_MS), listener);
  const words = (status: string): string => rawAnswer(status, 'text/plain; charset=utf-8', status);
  // The service calls from one address, too.
  limitConnections(server, {
    ...DEFAULT_CONNECTIONS,
    byAddress: 0,
    refusal: () => words('503 Service Unavailable'),
  });
  server.on('clientError', ({ code }: { code?: string }, socket) =>
    endSocket(socket as Socket, code === 'ECONNRESET' ? undefined : words(refusedAs(code))),
  );

  const port = await listen(server, options.host, options.port);
  resendStatuses(chats, webhook);
  return {
    baseUrl: `http://${shownHost(options.host)}:${port}`,
    async close() {
      closing.abort();
      await close(server, 0);
      templates.close();
      await webhook.close();
      await journal.close();
      await media.close();
    },
  };
}
