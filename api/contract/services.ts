import type { AccessDirectory } from '../../application/access/principal.js';
import type { Files } from '../../application/files/files.js';
import type { Authenticator } from '../../application/ports/authenticator.js';
import type { SearchedIndex } from '../../application/ports/historyIndex.js';
import type { PaymentProvider } from '../../application/ports/paymentProvider.js';
import type { SecretBox } from '../../application/ports/secretBox.js';
import type { WebhookSender } from '../../application/ports/webhookSender.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore, Position } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';

/** Dependencies of operations and administration beyond commands and reads, given by the composition root. */
export interface Services {
  readonly clock: Clock;
  readonly eventStore: EventStore;
  /** Absent where there is no history index. */
  readonly historyIndex?: SearchedIndex | undefined;
  readonly commandHandler: CommandHandler;
  readonly reads: Reads;
  /** Operational documents: idempotency keys, tasks, delivery attempts. */
  readonly work: DocumentStore;
  readonly directory: AccessDirectory;
  readonly secretBox: SecretBox;
  /** Signs the cursors of lists. */
  readonly cursors: Authenticator;
  /** Absent without a file store: files can then be neither uploaded nor read. */
  readonly files?: Files;
  /**
   * Checks a URL of a webhook endpoint by the rules of deliveries. Absent where nothing can be sent, such as in the
   * operator's command line: endpoints cannot be created there.
   */
  readonly webhookUrls?: Pick<WebhookSender, 'check'>;
  /** Absent where none is configured: no store takes payments then. */
  readonly paymentProvider?: PaymentProvider;
  /**
   * Returns the address of the console, such as `http://127.0.0.1:3000/console`; undefined without a console, and
   * before the server listens.
   */
  consoleUrl?(): string | undefined;
}

/** Progress of the projections. Nobody waits for a projection that has stopped. */
export interface ViewProgress {
  /**
   * Resolves to true when every projection that reads one of these categories has passed `position`, to false after `timeoutMs`.
   * `store`: only what is shown of this store, whose the events are that are waited for; others may be behind.
   */
  waitFor(categories: readonly string[], position: Position, timeoutMs: number, store?: string): Promise<boolean>;
  /** Progress of views that are built for the first time; undefined if all can be read. */
  building?(): { readonly percent: number } | undefined;
}
