/** The part of the page's script that shows a checkout or payment form as the channel would, and answers it. */
export const checkoutScript = `
function field(label, input, kind = '') {
  const wrapper = make('label', label, { class: kind });
  wrapper.append(input);
  return wrapper;
}
/** An option as people see it, with what is said of it. */
const optionText = ({ title, description }) => (description ? title + ' · ' + description : title);
function choices(options) {
  const select = make('select');
  for (const [value, text] of options) select.append(make('option', text, { value }));
  return select;
}
/** Fields to choose what to pay with; none where the store takes no payments. */
function walletFields(data) {
  if (!data.wallets) return { fields: [], answers: () => ({}) };
  const wallet = choices(data.wallets.map((one) => [one.id, one.title]));
  const known = byId('customer').value.trim();
  const number = data.walletPhone ?? (/^\\+?\\d+$/.test(known) ? known : '');
  const phone = make('input', undefined, { value: number, maxlength: 20, type: 'tel' });
  const numbered = field('Wallet number', phone);
  wallet.addEventListener('change', () => { numbered.hidden = wallet.value === 'cash'; });
  return { fields: [field('Pay with', wallet), numbered],
    answers: () => ({ wallet: wallet.value, ...(numbered.hidden ? {} : { wallet_phone: phone.value }) }) };
}
function paymentForm(flow) {
  const data = flow.data ?? {};
  const form = make('form');
  const paying = walletFields(data);
  form.append(make('strong', 'Order ' + (data.orderNumber ?? '') + ' · ' + (data.totalText ?? ''), { class: 'wide' }),
    ...paying.fields, make('button', flow.cta, { class: 'main wide' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act({ checkout: { flowToken: flow.token, ...paying.answers() } }).catch(failed);
  });
  return form;
}
function checkoutForm(flow) {
  if (flow.screen === 'PAYMENT') return paymentForm(flow);
  const data = flow.data ?? {};
  const form = make('form');
  const paying = walletFields(data);
  const ways = [['delivery', 'Delivery'], ['pickup', 'Pickup']].filter(([way]) => data[way] !== false);
  const fulfilment = choices(ways);
  const area = choices((data.areas ?? []).map((one) => [one.id, optionText(one)]));
  const name = make('input', undefined, { value: byId('name').value, maxlength: 120, required: '' });
  const known = byId('customer').value.trim();
  const phone = make('input', undefined, { value: /^\\+?\\d+$/.test(known) ? known : '', maxlength: 20, type: 'tel' });
  const address = make('input', undefined, { maxlength: 500 });
  const coupon = make('input', undefined, { maxlength: 32 });
  const brought = [field('Area', area), field('Address', address, 'wide')];
  const choose = () => { for (const one of brought) one.hidden = fulfilment.value !== 'delivery'; };
  fulfilment.addEventListener('change', choose);
  choose();
  form.append(make('strong', 'Order ' + (data.orderNumber ?? '') + ' · ' + (data.totalText ?? ''), { class: 'wide' }),
    field('How', fulfilment), brought[0], field('Name', name), field('Phone', phone), brought[1], field('Coupon', coupon),
    ...paying.fields, make('button', flow.cta, { class: 'main wide' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const delivery = fulfilment.value === 'delivery';
    act({ checkout: { flowToken: flow.token, fulfilment: fulfilment.value, name: name.value, phone: phone.value,
      ...(coupon.value === '' ? {} : { coupon: coupon.value }), ...paying.answers(),
      ...(delivery ? { area: area.value, address: address.value } : {}) } }).catch(failed);
  });
  return form;
}
/** What a form was answered with. Undefined: it is no answer to a form. */
const answerText = (payload) => {
  const text = payload.interactive?.nfm_reply?.response_json;
  if (text === undefined) return undefined;
  const { flow_token, area, ...answers } = JSON.parse(text);
  return [answers.fulfilment === undefined ? 'Payment' : 'Checkout', ...Object.values(answers).filter((one) => one !== '' && typeof one !== 'object')].join('\\n');
};
`;
