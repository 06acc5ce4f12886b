/** Why a message did not arrive, in words for the store. (shared reference: 'Outbound', table of codes.) */
const REASONS: Readonly<Record<string, string>> = {
  '0': "The channel does not accept the store's access any more: connect the number again.",
  '190': "The channel does not accept the store's access any more: connect the number again.",
  '3': 'The connected number may not send messages: check its permissions with the channel.',
  '10': 'The connected number may not send messages: check its permissions with the channel.',
  '131005': 'The connected number may not send messages: check its permissions with the channel.',
  '131047': 'The message is outside the 24-hour window: the customer has to write again first.',
  '131026': "The message could not be delivered to this customer's phone.",
  '131062': 'This kind of message needs the phone number of the customer.',
  '131048': 'The channel has restricted the number because customers reported its messages.',
  '131064': 'The channel has restricted the number because customers reported its messages.',
  '131049': 'The channel limits how many messages this customer receives; the message was not delivered.',
  '130472': 'The channel limits how many messages this customer receives; the message was not delivered.',
  '131050': 'The customer does not want messages from the store.',
  '130403': 'The customer has blocked the store.',
  '131056': 'Too many messages went to this customer in a short time.',
  '100': 'The channel did not understand the message.',
  '131008': 'The channel did not understand the message.',
  '131009': 'The channel did not understand the message.',
  unreachable: 'The channel could not be reached for 24 hours.',
  timeout: 'The channel did not answer for 24 hours.',
  number_not_connected: "The store's channel number is not connected any more.",
};

const permission = (code: string): boolean => /^2\d\d$/.test(code);

/** `code`: the channel's, or the service's own. */
export function failureReason(code: string): string {
  const reason = REASONS[permission(code) ? '10' : code];
  return reason ?? `The channel did not deliver the message (code ${code}).`;
}
