/** Parts of a message template, in the form of the API and of stored events. Add fields as optional. (Specification 2, 'Templates'.) */
import { OneOf } from '../schema.js';
import { Flag, Id, Label, List, Maybe, Shape, type Stored, Whole } from '../storedEvents.js';

export const TemplateCategory = OneOf('marketing', 'utility', 'authentication');
export type TemplateCategory = Stored<typeof TemplateCategory>;
export const ParameterFormat = OneOf('positional', 'named');
/** `{{1}}` and so on, or `{{first_name}}`. All variables of a template have the same form. */
export type ParameterFormat = Stored<typeof ParameterFormat>;

const TemplateExample = Shape('TemplateExample', { value: Label(), name: Maybe(Label('Of a named variable.')) });
/** Example value of a variable, for the provider's reviewers. `name`: for named variables. */
export type TemplateExample = Stored<typeof TemplateExample>;

const TemplateHeader = Shape('TemplateHeader', {
  format: OneOf('text', 'image', 'video', 'document', 'location'),
  text: Maybe(Label('With `text`: at most 60 characters, at most one variable.')),
  examples: Maybe(List(TemplateExample)),
  sampleFileId: Maybe(
    Id("With `image`, `video` and `document`: an uploaded file of the store, for the provider's reviewers."),
  ),
});
export type TemplateHeader = Stored<typeof TemplateHeader>;

const TemplateBodyPart = Shape('TemplateBodyPart', {
  text: Maybe(Label('At most 1,024 characters. Of an authentication template the provider writes it.')),
  examples: Maybe(List(TemplateExample), 'One for each variable: in their order, or by name.'),
  addSecurityRecommendation: Maybe(
    Flag('Authentication templates only: the provider adds a sentence that the code is not to be shared.'),
  ),
});
export type TemplateBodyPart = Stored<typeof TemplateBodyPart>;

const TemplateFooter = Shape('TemplateFooter', {
  text: Maybe(Label()),
  codeExpirationMinutes: Maybe(Whole('Authentication templates only; 0: the footer is left out.')),
});
export type TemplateFooter = Stored<typeof TemplateFooter>;

const TemplateButtonType = OneOf('quick_reply', 'url', 'phone_number', 'copy_code', 'otp', 'voice_call_request');
export type TemplateButtonType = Stored<typeof TemplateButtonType>;

const TemplateButton = Shape('TemplateButton', {
  type: TemplateButtonType,
  text: Maybe(Label()),
  url: Maybe(Label('May end with `{{1}}`.')),
  phoneNumber: Maybe(Label()),
  example: Maybe(Label("Of `url`: the variable's value, or the whole address; of `copy_code`: a code.")),
});
export type TemplateButton = Stored<typeof TemplateButton>;

export const TemplateDefinition = Shape('TemplateDefinition', {
  header: Maybe(TemplateHeader),
  body: TemplateBodyPart,
  footer: Maybe(TemplateFooter),
  buttons: Maybe(List(TemplateButton)),
  unsupported: Maybe(
    List(Label()),
    'Parts that the provider has and this service cannot edit or send, such as carousels.',
  ),
});
export type TemplateDefinition = Stored<typeof TemplateDefinition>;

/** Reports one problem of a definition. `place`: location relative to the definition, such as `header.text`. */
export type Report = (place: string, message: string, value?: unknown) => void;
