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
