import { WALLET_IDS } from '../../../domain/payments/paymentEvents.js';
import { Closed, DateTime, Named, OneOf } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** (Specification 2, 'Store payments'; the names of the schemas are not shown there.) */
const merchantId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_.-]+$' });
/** Has a name, since Java's generator cannot write a set of values without one. */
export const PaymentWallet = Named('PaymentWallet', OneOf(...WALLET_IDS));
const wallets = Type.Array(PaymentWallet, {
  maxItems: 6,
  description: 'Wallets that customers may pay with, in display order.',
});
const last4 = Type.String({ description: 'Last four characters of the saved key. The rest is never shown.' });

export const PaymentWalletOptionBody = Named(
  'PaymentWalletOptionBody',
  Type.Object({ id: PaymentWallet, name: Type.String() }),
);

export const PaymentSettingsBody = Named(
  'PaymentSettingsBody',
  Type.Object({
    available: Type.Boolean({
      description: 'A payment provider is configured on the server; otherwise no store accepts payments.',
    }),
    saved: Type.Boolean(),
    merchantId: Type.Optional(merchantId),
    last4: Type.Optional(last4),
    options: Type.Array(PaymentWalletOptionBody),
    wallets,
    updatedAt: Type.Optional(DateTime),
  }),
);

export const PaymentSettingsInputBody = Named(
  'PaymentSettingsInputBody',
  Closed({
    merchantId,
    apiKey: Type.String({ minLength: 1, maxLength: 512, description: 'Stored encrypted, never returned.' }),
  }),
);

export const PaymentSettingsSavedBody = Named(
  'PaymentSettingsSavedBody',
  Type.Object({ saved: Type.Boolean(), last4 }),
);

export const PaymentWalletsInputBody = Named('PaymentWalletsInputBody', Closed({ wallets }));

export const PaymentKeyCheckBody = Named(
  'PaymentKeyCheckBody',
  Type.Object({
    ok: Type.Boolean({ description: 'The provider accepts the key; nobody was charged.' }),
    reason: Type.Optional(OneOf('refused', 'unreachable')),
  }),
);
