/** Checkout and payment forms as the channel would show them, and their answers. */
import { act, customerPhone } from './acting.js';
import { choices, failed, field, inputOf, make } from './dom.js';
import type { Flow, Option, Payload } from './wire.js';

interface Paying {
  readonly fields: readonly HTMLElement[];
  answers(): Readonly<Record<string, string>>;
}

/** Fields to choose what to pay with; none where the store takes no payments. */
function walletFields({ wallets, walletPhone }: NonNullable<Flow['data']>): Paying {
  if (!wallets) return { fields: [], answers: () => ({}) };
  const wallet = choices(wallets.map((one) => [one.id, one.title] as const));
  const phone = make('input', undefined, { value: walletPhone ?? customerPhone(), maxlength: 20, type: 'tel' });
  const numbered = field('Wallet number', phone);
  wallet.addEventListener('change', () => {
    numbered.hidden = wallet.value === 'cash';
  });
  return {
    fields: [field('Pay with', wallet), numbered],
    answers: () => ({ wallet: wallet.value, ...(numbered.hidden ? {} : { wallet_phone: phone.value }) }),
  };
}

/** An option as people see it, with what is said of it. */
const optionText = ({ title, description }: Option): string => (description ? `${title} · ${description}` : title);

const heading = ({ orderNumber = '', totalText = '' }: NonNullable<Flow['data']>): HTMLElement =>
  make('strong', `Order ${orderNumber} · ${totalText}`, { class: 'wide' });

function answering(form: HTMLFormElement, answer: () => object): HTMLFormElement {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act({ checkout: answer() }).catch(failed);
  });
  return form;
}

function paymentForm({ token, cta, data = {} }: Flow): HTMLFormElement {
  const form = make('form');
  const paying = walletFields(data);
  form.append(heading(data), ...paying.fields, make('button', cta, { class: 'main wide' }));
  return answering(form, () => ({ flowToken: token, ...paying.answers() }));
}

function checkoutForm({ token, cta, data = {} }: Flow): HTMLFormElement {
  const form = make('form');
  const paying = walletFields(data);
  const ways = [['delivery', 'Delivery'] as const, ['pickup', 'Pickup'] as const];
  const fulfilment = choices(ways.filter(([way]) => data[way] !== false));
  const area = choices((data.areas ?? []).map((one) => [one.id, optionText(one)] as const));
  const name = make('input', undefined, { value: inputOf('name').value, maxlength: 120, required: '' });
  const phone = make('input', undefined, { value: customerPhone(), maxlength: 20, type: 'tel' });
  const address = make('input', undefined, { maxlength: 500 });
  const coupon = make('input', undefined, { maxlength: 32 });
  const areaField = field('Area', area);
  const addressField = field('Address', address, 'wide');
  const isDelivery = (): boolean => fulfilment.value === 'delivery';
  const choose = (): void => {
    for (const one of [areaField, addressField]) one.hidden = !isDelivery();
  };
  fulfilment.addEventListener('change', choose);
  choose();
  form.append(
    heading(data),
    field('How', fulfilment),
    areaField,
    field('Name', name),
    field('Phone', phone),
    addressField,
    field('Coupon', coupon),
    ...paying.fields,
    make('button', cta, { class: 'main wide' }),
  );
  return answering(form, () => ({
    flowToken: token,
    fulfilment: fulfilment.value,
    name: name.value,
    phone: phone.value,
    ...(coupon.value === '' ? {} : { coupon: coupon.value }),
    ...paying.answers(),
    ...(isDelivery() ? { area: area.value, address: address.value } : {}),
  }));
}

export const formOf = (flow: Flow): HTMLFormElement =>
  flow.screen === 'PAYMENT' ? paymentForm(flow) : checkoutForm(flow);

/** What a form was answered with. Undefined: it is no answer to a form. */
export function formAnswer({ interactive }: Payload): string | undefined {
  const text = interactive?.nfm_reply?.response_json;
  if (text === undefined) return undefined;
  const { flow_token, area, ...answers } = JSON.parse(text) as Record<string, unknown>;
  const told = Object.values(answers).filter((one) => one !== '' && typeof one !== 'object');
  return [answers.fulfilment === undefined ? 'Payment' : 'Checkout', ...told].join('\n');
}
