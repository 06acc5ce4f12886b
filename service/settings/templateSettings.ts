/** The message templates for customers who have not written for a day. */
import type { StatusTemplate, StatusTemplates } from '../../application/orders/customerNotices.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { type Env, SettingsError, settingValue } from './environment.js';

const NAME = 'SUUQ_STATUS_TEMPLATES';
/** Language of stores, name and language of the template as the channel knows it. */
const ENTRY = /^(en|so|ar)=([a-z0-9_]{1,512})\/([A-Za-z_]{2,16})$/;

/** Such as `en=order_update/en_US,ar=order_update/ar`; none when nothing is given. Throws SettingsError. */
export function readStatusTemplates(env: Env): StatusTemplates {
  const text = settingValue(env, NAME);
  const templates = new Map<Locale, StatusTemplate>();
  for (const entry of text?.split(',') ?? []) {
    const [, locale, name, language] = ENTRY.exec(entry.trim()) ?? [];
    if (name === undefined || language === undefined || templates.has(locale as Locale))
      throw new SettingsError(
        `${NAME} is ${JSON.stringify(text)}, but must be a comma-separated list such as en=order_update/en_US,ar=order_update/ar: a store's language (en, so, ar; each once), the template's name and its language.`,
      );
    templates.set(locale as Locale, { name, language });
  }
  return Object.fromEntries(templates);
}
