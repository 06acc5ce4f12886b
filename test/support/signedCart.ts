import { createHmac } from 'node:crypto';
import type { Demo } from './serviceProcess.js';

/** A cart as the channel's webhook brings it, signed with the app secret; one customer a cart. */
export function signedCart(
  demo: Pick<Demo, 'channel'>,
  n: number,
  retailerIds: readonly string[],
): { body: string; headers: Record<string, string> } {
  const from = customerOf(n);
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100200300400500',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: {
                display_phone_number: demo.channel.displayPhoneNumber,
                phone_number_id: demo.channel.phoneNumberId,
              },
              contacts: [{ profile: { name: 'Hodan' }, wa_id: from }],
              messages: [
                {
                  from,
                  id: `wamid.cart.${n}`,
                  timestamp: String(Math.floor(Date.now() / 1000)),
                  type: 'order',
                  order: {
                    catalog_id: demo.channel.catalogId,
                    product_items: retailerIds.map((id) => ({
                      product_retailer_id: id,
                      quantity: 2,
                      item_price: 15,
                      currency: 'USD',
                    })),
                  },
                },
              ],
            },
          },
        ],
      },
    ],
  });
  const signature = createHmac('sha256', demo.channel.appSecret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` } };
}

/** Digits of the customer's number, country code first. */
export const customerOf = (n: number): string => `25261${String(1_000_000 + n)}`;
