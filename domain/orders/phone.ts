/** A customer's number as orders keep it: '+' and digits. Takes the usual ways to write one; '' when it has no digit. */
export function plainPhone(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  return digits === '' ? '' : `+${digits}`;
}

/** Whether it can be a number with its country code (E.164: at most 15 digits). */
export const isPlausiblePhone = (phone: string): boolean => /^\+[1-9]\d{6,14}$/.test(phone);
