/**
 * Subject keys in a simulated world: the log is sealed and customers are forgotten with the service's own composition.
 */
import type { PersonKeys } from '../../../application/ports/personKeys.js';
import { Forgetting } from '../../../application/privacy/forgetting.js';
import { Retaining } from '../../../application/privacy/retentionWalks.js';
import type { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { forgetfulSnapshots } from '../../../engine/ports/snapshots.js';
import type { ProjectionHost } from '../../../engine/projections/runtime.js';
import type { Sealing } from '../../../engine/sealing/sealer.js';
import { sealing } from '../../../engine/sealing/sealingStore.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { openDocumentVault } from '../../../infrastructure/vault/documentVault.js';
import { storedEvents } from '../../../service/composition/events.js';
import type { Instance as Composed } from '../../../service/composition/instance.js';
import { commandsOf, namesOfCustomers, namesOfStaff } from '../../../service/composition/privacy/erasureWatch.js';
import { personKeys } from '../../../service/composition/privacy/personKeys.js';
import { personTexts } from '../../../service/composition/privacy/personTexts.js';
import { FORGOTTEN_WITHIN_MS, sealingOf } from '../../../service/composition/privacy/vaults.js';
import type { Connected } from './engines.js';

/** Master key of every world. */
export const KEY = new Uint8Array(32).fill(7);

export interface Sealed {
  readonly eventStore: EventStore;
  readonly parts: Sealing;
  readonly vault: Awaited<ReturnType<typeof openDocumentVault>>;
}

/** Opens the sealed log. Rejects with StoreUnavailable. */
export async function sealedLog(engines: Connected, shared: boolean): Promise<Sealed> {
  const vault = await openDocumentVault(engines.vault);
  const parts = sealingOf(vault, createSecretBox(KEY), shared ? { url: 'vault' } : { file: 'vault' }, storedEvents);
  return { eventStore: sealing(engines.eventStore, parts), parts, vault };
}

interface Parts {
  readonly engines: Connected;
  readonly shared: boolean;
  readonly sealed: Sealed;
  /** Event store with opened events, upgraded to their current schema. */
  readonly eventStore: EventStore;
  readonly commands: ReturnType<typeof createCommandHandler>;
  readonly reads: Composed['services']['reads'];
  readonly clock: Clock;
  readonly projections: ProjectionHost;
}

type Privacy = Pick<Composed, 'personTexts' | 'forgetting' | 'retaining'> & { readonly people: PersonKeys };

export function privacyOf({
  engines,
  shared,
  sealed,
  eventStore,
  commands,
  reads,
  clock,
  projections,
}: Parts): Privacy {
  const { parts, vault } = sealed;
  const { eventStore: log, work } = engines;
  const box = createSecretBox(KEY);
  const people = personKeys({
    ...{ log, vault, box, sealing: parts, work, snapshots: forgetfulSnapshots, commands, clock },
    othersWithinMs: shared ? 2 * FORGOTTEN_WITHIN_MS : 0,
  });
  const texts = personTexts({ log, sealing: parts, projections, forgetting: () => forgetting.isUnderWay() });
  const forgetting = new Forgetting({
    ...{ people, reads, work, secretBox: box, clock, projections, log: eventStore, alone: !shared },
    isForgotten: texts.isForgotten,
    names: namesOfCustomers(people),
    staffNames: namesOfStaff(people),
    commands: commandsOf(commands),
  });
  const retaining = new Retaining({ reads, commands, people, forgetting, work, clock });
  return { people, personTexts: texts, forgetting, retaining };
}
