/** A store's account at the payment provider: stored sealed, unsealed only for calls of the provider. */
import { payments, savePaymentSettings } from '../../domain/payments/payments.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { PaymentAccount } from '../ports/paymentProvider.js';
import type { SecretBox } from '../ports/secretBox.js';

/** Binds a sealed key to its store. */
export const paymentKeyContext = (workspaceId: string): string => `payments ${workspaceId}`;

interface Means {
  readonly commands: Pick<BoundCommands, 'query'>;
  readonly secretBox: SecretBox;
}

/** Returns the account of this merchant, or the one for new payments. Undefined: the store does not have it. */
export async function paymentAccount(
  { commands, secretBox }: Means,
  workspaceId: string,
  merchant?: string,
): Promise<PaymentAccount | undefined> {
  const found = await commands.query(payments, workspaceId, ({ merchantId, accounts }) => {
    const requested = merchant ?? merchantId;
    const sealed = requested === undefined ? undefined : accounts.get(requested);
    return requested === undefined || sealed === undefined ? undefined : { merchantId: requested, sealed };
  });
  if (found === undefined) return undefined;
  return { merchantId: found.merchantId, apiKey: secretBox.open(found.sealed, paymentKeyContext(workspaceId)) };
}

const SHOWN = 4;

/** Saves the account. An equal one changes nothing. Returns the visible part of the key. */
export async function saveAccount(
  { commands, secretBox }: { commands: BoundCommands; secretBox: SecretBox },
  workspaceId: string,
  { merchantId, apiKey }: PaymentAccount,
): Promise<{ last4: string }> {
  const context = paymentKeyContext(workspaceId);
  const known = await commands.query(payments, workspaceId, ({ accounts }) => accounts.get(merchantId));
  const sameAs = known !== undefined && secretBox.open(known, context) === apiKey ? known : undefined;
  const last4 = [...apiKey].slice(-SHOWN).join('');
  const command = { merchantId, apiKeySealed: sameAs ?? secretBox.seal(apiKey, context), last4, sameAs };
  await commands.decide(payments, workspaceId, savePaymentSettings(command));
  return { last4 };
}
