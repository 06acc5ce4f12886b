import { createHmac } from 'node:crypto';
import type { Demo } from './serviceProcess.js';

export interface Signed {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A cart as the channel's webhook brings it, signed with the app secret; one customer a cart. */
export const signedCart = (demo: Pick<Demo, 'channel'>, n: number, retailerIds: readonly string[]): Signed =>
  signedMessage(demo, n, `cart.${n}`, {
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
  });

/** The checkout form as customer `n` sends it back. `fields`: his answers. */
export const signedForm = (demo: Pick<Demo, 'channel'>, n: number, orderId: string, fields: object): Signed =>
  signedMessage(demo, n, `form.${n}`, {
    type: 'interactive',
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify({ flow_token: orderId, ...fields }) },
    },
  });

const signedMessage = ({ channel }: Pick<Demo, 'channel'>, n: number, id: string, message: object): Signed =>
  signedInbound(channel, customerOf(n), `wamid.${id}`, message);

/** Any message of a customer, as the channel's webhook brings it. `from`: digits, country code first. */
export function signedInbound(
  channel: Pick<Demo['channel'], 'displayPhoneNumber' | 'phoneNumberId' | 'appSecret'>,
  from: string,
  id: string,
  message: object,
): Signed {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: channel.displayPhoneNumber, phone_number_id: channel.phoneNumberId },
    contacts: [{ profile: { name: 'Hodan' }, ...('from' in message ? {} : { wa_id: from }) }],
    messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1000)), ...message }],
  };
  const entry = [{ id: '100200300400500', changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = createHmac('sha256', channel.appSecret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` } };
}

/** Digits of the customer's number, country code first. */
export const customerOf = (n: number): string => `25261${String(1_000_000 + n)}`;
