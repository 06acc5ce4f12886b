import type { PersonKeys } from '../../../application/ports/personKeys.js';
import type { PersonTexts } from '../../../application/ports/personTexts.js';
import { Forgetting } from '../../../application/privacy/forgetting.js';
import { Retaining } from '../../../application/privacy/retentionWalks.js';
import type { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import type { PersonVault } from '../../../engine/ports/personVault.js';
import type { SnapshotStore } from '../../../engine/ports/snapshots.js';
import type { Reads } from '../../../engine/projections/reads.js';
import type { ProjectionHost } from '../../../engine/projections/runtime.js';
import type { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { commandsOf, namesOfCustomers, namesOfStaff } from './erasureWatch.js';
import { personKeys } from './personKeys.js';
import { personTexts } from './personTexts.js';
import { FORGOTTEN_WITHIN_MS, type sealingOf } from './vaults.js';

interface PrivacyParts {
  /** The log as stored, with sealed texts. */
  readonly storedLog: EventStore;
  readonly log: EventStore;
  readonly vault: PersonVault;
  readonly secretBox: ReturnType<typeof createSecretBox>;
  readonly sealing: ReturnType<typeof sealingOf>;
  readonly snapshots: SnapshotStore;
  readonly reads: Reads;
  readonly work: DocumentStore;
  readonly projections: ProjectionHost;
  readonly commands: ReturnType<typeof createCommandHandler>;
  readonly clock: Clock;
  /** True if other instances may work on the same data. */
  readonly shared: boolean;
}

export interface Privacy {
  /** Keys of data subjects. */
  readonly people: PersonKeys;
  /** Texts under them. */
  readonly personTexts: PersonTexts;
  readonly forgetting: Forgetting;
  readonly retaining: Retaining;
}

export function openPrivacy(parts: PrivacyParts): Privacy {
  const { storedLog, log, vault, secretBox, sealing, snapshots, reads, work, projections, commands, clock, shared } =
    parts;
  const people = personKeys({
    ...{ log: storedLog, vault, box: secretBox, sealing, work, snapshots, commands, clock },
    othersWithinMs: shared ? 2 * FORGOTTEN_WITHIN_MS : 0,
  });
  const texts = personTexts({
    ...{ log: storedLog, sealing, projections },
    forgetting: () => forgetting.isUnderWay(),
  });
  const forgetting = new Forgetting({
    ...{ people, reads, work, secretBox, clock, projections, log, alone: !shared },
    isForgotten: texts.isForgotten,
    names: namesOfCustomers(people),
    staffNames: namesOfStaff(people),
    commands: commandsOf(commands),
  });
  const retaining = new Retaining({ reads, commands, people, forgetting, work, clock });
  return { people, personTexts: texts, forgetting, retaining };
}
