/** Sealed secrets by aggregate, and how to find them. */

import type { Keyring } from '../../domain/access/keyring.js';
import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.js';
import { partner } from '../../domain/partners/partner.js';
import { payments } from '../../domain/payments/payments.js';
import { type Resealed, reseal } from '../../domain/secrets/resealing.js';
import { accessTokenContext } from '../../domain/stores/channelNumber.js';
import { store } from '../../domain/stores/store.js';
import { isOpen, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { keyContext } from '../access/keys.js';
import { paymentKeyContext } from '../payments/paymentAccounts.js';
import { secretContext } from '../webhooks/endpoints.js';

export interface SealedSecret {
  readonly sealed: string;
  /** Context that the secret is bound to. */
  readonly context: string;
}

/** Secrets of one stream. */
export interface SecretHolder {
  readonly category: string;
  /** Types of events with a secret. A stream without them contains none. */
  readonly types: readonly string[];
  secretsOf(commands: BoundCommands, id: string): Promise<readonly SealedSecret[]>;
  reseal(commands: BoundCommands, id: string, secrets: readonly Resealed[]): Promise<void>;
}

/** Returns the secrets of an aggregate that supports resealing. */
function holder<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  types: readonly string[],
  secretsIn: (state: State, id: string) => readonly SealedSecret[],
): SecretHolder {
  return {
    category: aggregate.name,
    types,
    secretsOf: (commands, id) => commands.query(aggregate, id, (state) => secretsIn(state, id)),
    async reseal(commands, id, secrets) {
      const sealedIn = (state: State) => secretsIn(state, id).map(({ sealed }) => sealed);
      await commands.decide(aggregate, id, reseal(secrets, sealedIn) as unknown as Decision<State, E>);
    },
  };
}

const ofKeys = (keys: Keyring): readonly SealedSecret[] =>
  [...keys.values()]
    .filter(({ sealed }) => sealed !== '')
    .map(({ keyId, sealed }) => ({ sealed, context: keyContext(keyId) }));

export const secretHolders: readonly SecretHolder[] = [
  holder(store, ['KeyCreated', 'ChannelNumberConnected'], (state) => {
    if (state.status === 'absent') return [];
    const { accessTokenSealed: sealed, phoneNumberId = '' } = state.number ?? {};
    const token = sealed === undefined ? [] : [{ sealed, context: accessTokenContext(phoneNumberId) }];
    return [...ofKeys(state.keys), ...token];
  }),
  holder(partner, ['KeyCreated'], (state) => (state.status === 'absent' ? [] : ofKeys(state.keys))),
  holder(webhookEndpoint, ['WebhookEndpointCreated', 'WebhookSecretRotated'], (state, id) =>
    isOpen(state)
      ? [state.secretSealed, ...state.previous.map((one) => one.secretSealed)].map((sealed) => ({
          sealed,
          context: secretContext(id),
        }))
      : [],
  ),
  holder(payments, ['PaymentSettingsSaved'], ({ accounts }, id) =>
    [...accounts.values()].map((sealed) => ({ sealed, context: paymentKeyContext(id) })),
  ),
];
