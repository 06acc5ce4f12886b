/** Reasons why a customer's file cannot be shown, by code, in words for the store. */
const REASONS = {
  media_expired: 'The file could not be copied within seven days, after which the channel deletes it.',
  media_unavailable: 'The channel no longer has the file.',
  media_too_large: "The file exceeds the channel's limit for its type.",
  media_empty: 'The file is empty.',
  media_type_mismatch: 'The content of the file does not match its declared type.',
  media_damaged: 'The received file differs from the file that was sent.',
  number_not_connected: "The store's number is no longer connected.",
} as const;

export type MediaFailure = keyof typeof REASONS;

export const mediaFailureReason = (code: MediaFailure): string => REASONS[code];
