/** File names for people: the sender's name, made safe to show and to save. */
const MOST_NAME = 240;

/** Extensions by type, the usual one first. Other extensions would suggest another type. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'video/mp4': ['mp4', 'm4v'],
  'video/3gpp': ['3gp', '3gpp'],
  'audio/aac': ['aac'],
  'audio/amr': ['amr'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/mpeg': ['mp3'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/wav': ['wav'],
  'application/pdf': ['pdf'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'text/plain': ['txt', 'csv', 'tsv', 'md', 'log', 'json', 'xml', 'rtf', 'ics', 'vcf', 'yaml', 'yml'],
};

/** Quotes and line breaks as forms encode them in names. */
const ESCAPED = /%(?:22|0[AaDd])/g;
/** Control characters, direction marks and path separators, except characters that join letters in some scripts. */
const UNSAFE = /(?:(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\:*?"<>|])+/gu;

/** Returns `invoice.pdf` for `../x/invoice.pdf`, safe to show and to save. May be empty. */
export const safeName = (given: string): string =>
  given
    .split(/[/\\]/)
    .at(-1)!
    .replace(ESCAPED, ' ')
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=\.[^.]+$)/, '')
    .trim()
    .replace(/^\.+/, '');

/** Returns the safe name with an extension of its real type, at most 240 characters. */
export function fileName(given: string | undefined, mimeType: string): string {
  const clean = safeName(given ?? '');
  const endings = ENDINGS[mimeType];
  const ending = /\.([^.]+)$/.exec(clean)?.[1]?.toLowerCase() ?? '';
  const added = endings === undefined || endings.includes(ending) ? '' : `.${endings[0]}`;
  const characters = [...(clean === '' ? 'file' : clean)];
  const tail = added === '' && ending !== '' ? [...`.${ending}`].slice(-20) : [...added];
  if (characters.length + (added === '' ? 0 : tail.length) <= MOST_NAME) return characters.join('') + added;
  return characters.slice(0, MOST_NAME - tail.length).join('') + tail.join('');
}
