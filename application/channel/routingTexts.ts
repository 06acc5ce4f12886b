/** What the automatic menu of teams says. Titles: as the channel shows them whole, see routing.ts. */
import type { ContactLanguage } from '../../domain/channel/conversationEvents.js';

interface Texts {
  readonly question: string;
  /** The button that opens a list; at most 20 characters. */
  readonly listButton: string;
}

const TEXTS: Readonly<Record<ContactLanguage, Texts>> = {
  en: { question: 'Welcome! Who would you like to talk to?', listButton: 'Choose' },
  so: { question: 'Soo dhowow! Qaybtee ayaad rabtaa inaad la hadasho?', listButton: 'Dooro' },
  ar: { question: 'مرحبًا بك! مع أي قسم تود التحدث؟', listButton: 'اختيار' },
};

export const menuTexts = (language: ContactLanguage): Texts => TEXTS[language];
