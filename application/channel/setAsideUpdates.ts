/** Stores channel updates that belong to no conversation, so that operators can find them. */
import { type SetAsideEvent, setAside, setUpdateAside } from '../../domain/channel/setAsideUpdates.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Log } from '../../engine/ports/log.js';
import type { CountChannel } from './channelMetrics.js';
import type { StoreNumber } from './channelNumbers.js';
import type { NumberUpdates, ReceivedAside } from './inboundUpdates.js';

export interface SettingAsideDependencies {
  readonly commands: CommandHandler;
  readonly log: Log;
  readonly count: CountChannel;
}

type Updates = Pick<NumberUpdates, 'messages' | 'calls' | 'setAside'>;

/** Returns the updates of customers in a delivery for an unknown number. */
function partsOf({ messages, calls, setAside: aside = [] }: Updates): Omit<ReceivedAside, 'reason'>[] {
  const read = [...messages, ...calls].map((one) => ({ customer: one.customer, update: JSON.stringify(one) }));
  return [...read, ...aside.map(({ customer, update }) => ({ ...defined({ customer }), update }))];
}

export function createSettingAside({ commands, log, count }: SettingAsideDependencies) {
  async function store(
    id: string,
    event: SetAsideEvent,
    about: { readonly workspaceId?: string; readonly partnerId?: string },
    correlationId: string,
  ): Promise<void> {
    const context = {
      commandId: derivedId('setAside', id),
      actor: { type: 'system' } as const,
      correlationId,
      ...about,
    };
    const { events } = await commands.decide(context, setAside, id, setUpdateAside(event));
    if (events.length === 0) return count('duplicate', 1);
    count('set_aside', 1);
    const reason = 'reason' in event.data ? event.data.reason : 'unknown_number';
    log.warn(
      { ...defined({ workspaceId: about.workspaceId }), reason, stream: `setAside-${id}`, requestId: correlationId },
      'channel update set aside',
    );
  }

  return {
    /** Stores an update of a store's number. */
    async ofStore(number: StoreNumber, received: ReceivedAside, correlationId: string): Promise<void> {
      const { numberId, workspaceId, partnerId } = number;
      const id = derivedId('setAside', numberId, received.update);
      const event = { type: 'UpdateSetAside', data: { numberId, ...received } } as const;
      await store(id, event, { workspaceId, ...defined({ partnerId }) }, correlationId);
    },

    /** Stores the messages and calls for a number without a store. */
    async ofNoStore(phoneNumberId: string, updates: Updates, correlationId: string): Promise<void> {
      for (const part of partsOf(updates)) {
        const event = { type: 'UpdateOfUnknownNumberSetAside', data: { phoneNumberId, ...part } } as const;
        await store(derivedId('setAside', phoneNumberId, part.update), event, {}, correlationId);
      }
    },
  };
}
