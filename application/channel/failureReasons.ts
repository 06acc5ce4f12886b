/** Reasons why a message did not arrive, in words for the agent: what happened, and what to do. (shared reference: 'Outbound'.) */
/** The channel's code for a message that was sent after the customer's 24 hours and was not a template. */
export const WINDOW_CLOSED = '131047';
/** The service's own code: the recipient was erased. */
export const FORGOTTEN = 'customer_forgotten';

const ACCESS =
  "The channel no longer accepts the store's access token. Connect the number again, then resend the message.";
const PERMISSION = 'The connected number is not allowed to send this. Check its permissions at the channel.';
const SPAM =
  'The channel has restricted the number because customers reported its messages. Pause, and send fewer messages.';
const ECOSYSTEM = 'The channel limits how many messages this customer receives. Try again tomorrow at the earliest.';
const REFUSES = 'The customer does not want messages from the store; sending again will not reach them.';
const RATE = 'The number sent more than the channel allows, for longer than the message could wait.';
const MALFORMED = 'The channel did not accept the content of the message. Change it before you resend it.';
const FILE = 'The channel could not process the file. Resend it, or use another format.';
const ACCOUNT = "The channel has blocked the store's business account. Check the account at the channel.";
const PASSING = 'The channel was failing for too long. Resend the message later.';
const TEMPLATE_STATE = 'The channel has paused or disabled the template. Choose another template.';

const REASONS: Readonly<Record<string, string>> = {
  '0': ACCESS,
  '190': ACCESS,
  '3': PERMISSION,
  '10': PERMISSION,
  '131005': PERMISSION,
  '4': RATE,
  '80007': RATE,
  '130429': RATE,
  [FORGOTTEN]: 'The customer was erased before the message was sent.',
  '131056': 'Too many messages were sent to this customer in a short time. Wait before you send more.',
  [WINDOW_CLOSED]: 'More than 24 hours have passed since the customer wrote: send an approved template instead.',
  '131026': "The message could not be delivered to this customer's phone: it may not be on the channel.",
  '131062': 'This kind of message needs the phone number of the customer.',
  '131048': SPAM,
  '131064': SPAM,
  '131049': ECOSYSTEM,
  '130472': ECOSYSTEM,
  '131050': REFUSES,
  '130403': REFUSES,
  '100': MALFORMED,
  '131008': MALFORMED,
  '131009': MALFORMED,
  '131051': MALFORMED,
  '131021': "The customer's number is the store's own number.",
  '131031': ACCOUNT,
  '368': ACCOUNT,
  '131042': 'The business account has a payment problem at the channel. Check its billing.',
  '131052': FILE,
  '131053': FILE,
  '133010': 'The number is not registered with the channel: connect it again.',
  '132000': 'The number of parameters differs from the number of variables in the template.',
  '132001': 'The channel does not know the template in this language, or has not approved it: choose another one.',
  '132005': 'The text of the template became too long with its parameters: shorten them.',
  '132007': "The content of the template breaks the channel's rules.",
  '132012': 'A parameter does not have the format that the template requires.',
  '132015': TEMPLATE_STATE,
  '132016': TEMPLATE_STATE,
  '1': PASSING,
  '2': PASSING,
  '131000': PASSING,
  '131016': PASSING,
  '131057': PASSING,
  unreachable: 'The channel could not be reached for 24 hours.',
  timeout: 'The channel did not answer for 24 hours.',
  bad_answer: "The channel's answers could not be understood for 24 hours.",
  number_not_connected: "The store's channel number is not connected any more.",
  file_missing: 'The file of the message no longer exists. Upload it again.',
};

const isPermission = (code: string): boolean => /^2\d\d$/.test(code);

/** Returns the reason for a code of the channel, or of the service. Unknown codes are included in the text. */
export function failureReason(code: string): string {
  const reason = REASONS[isPermission(code) ? '10' : code];
  return reason ?? `The channel did not deliver the message (code ${code}).`;
}
