/** What the channel's parts tell the operator. Never a name, a number or a text of a customer. */
export interface ChannelLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

export type ChannelCount =
  | 'received'
  | 'duplicate'
  | 'status'
  | 'status_unknown'
  | 'unknown_number'
  | 'malformed'
  | 'sent'
  | 'send_failed'
  | 'send_retried';

export type CountChannel = (what: ChannelCount, by: number) => void;
