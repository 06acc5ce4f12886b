export type ChannelCount =
  | 'received'
  | 'duplicate'
  | 'notice'
  | 'status'
  | 'status_unknown'
  | 'unknown_number'
  | 'set_aside'
  | 'malformed'
  | 'sent'
  | 'send_failed'
  | 'send_retried';

export type CountChannel = (what: ChannelCount, by: number) => void;
