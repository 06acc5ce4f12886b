/** Reasons why a customer's file cannot be shown, by code, in words for the store. */
const REASONS = {
  media_expired: 'The file could not be copied within the seven days for which the channel keeps it.',
  media_unavailable: 'The channel does not have the file any more.',
  media_too_large: 'The file is larger than the channel allows for what it is.',
  media_empty: 'The file is empty.',
  media_type_mismatch: 'The file is not what it was sent as.',
  media_damaged: 'The file does not arrive as it was sent.',
  number_not_connected: "The store's number is no longer connected.",
} as const;

export type MediaFailure = keyof typeof REASONS;

export const mediaFailureReason = (code: MediaFailure): string => REASONS[code];
