/** What a message template says: its parts, as the API takes and shows them, and as events store them. Add fields as optional. (Specification 2, 'Templates'.) */
export type TemplateCategory = 'marketing' | 'utility' | 'authentication';
/** `{{1}}` and so on, or `{{first_name}}`; a template has variables of one form. */
export type ParameterFormat = 'positional' | 'named';

/** What a variable could hold, for the provider's reviewers. `name`: of a named variable. */
export interface TemplateExample {
  readonly value: string;
  readonly name?: string;
}

export interface TemplateHeader {
  readonly format: 'text' | 'image' | 'video' | 'document' | 'location';
  /** With `text`: at most 60 characters, at most one variable. */
  readonly text?: string;
  readonly examples?: readonly TemplateExample[];
  /** With `image`, `video` and `document`: an uploaded file of the store, for the provider's reviewers. */
  readonly sampleFileId?: string;
}

export interface TemplateBodyPart {
  /** At most 1,024 characters. Of an authentication template the provider writes it. */
  readonly text?: string;
  /** One for each variable: in their order, or by name. */
  readonly examples?: readonly TemplateExample[];
  /** Authentication templates only: the provider adds a sentence that the code is not to be shared. */
  readonly addSecurityRecommendation?: boolean;
}

export interface TemplateFooter {
  readonly text?: string;
  /** Authentication templates only; 0: the footer is left out. */
  readonly codeExpirationMinutes?: number;
}

export type TemplateButtonType = 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'voice_call_request';

export interface TemplateButton {
  readonly type: TemplateButtonType;
  readonly text?: string;
  /** May end with `{{1}}`. */
  readonly url?: string;
  readonly phoneNumber?: string;
  /** Of `url`: the variable's value, or the whole address; of `copy_code`: a code. */
  readonly example?: string;
}

export interface TemplateDefinition {
  readonly header?: TemplateHeader;
  readonly body: TemplateBodyPart;
  readonly footer?: TemplateFooter;
  readonly buttons?: readonly TemplateButton[];
  /** Parts that the provider has and this service cannot edit or send, such as carousels. */
  readonly unsupported?: readonly string[];
}

/** Takes one problem of a definition. `place`: from the definition on, such as `header.text`. */
export type Report = (place: string, message: string, value?: unknown) => void;
