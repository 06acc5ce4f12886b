/** Templates that every business account of the sandbox has, approved: the channel's own example, and one for order notices. */
import type { TemplateContent } from './templateContent.js';

/** Languages of stores; English in both of its forms. */
const LANGUAGES = ['en', 'en_US', 'so', 'ar'];

const notice = (language: string): TemplateContent => ({
  name: 'order_update',
  language,
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: '{{1}}', example: { body_text: [['Order no. 7 is being prepared.']] } }],
});

export const DEFAULT_TEMPLATES: readonly TemplateContent[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    parameterFormat: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      { type: 'BODY', text: 'Welcome and congratulations!! This message demonstrates your ability to send a message.' },
      { type: 'FOOTER', text: 'A sample message' },
    ],
  },
  ...LANGUAGES.map(notice),
];
