/** A template as customers see it. (Specification 2, 'Preview output'.) */
import type { TemplateParameter } from '../channel/templateComponents.js';
import type { TemplateButtonType, TemplateHeader } from './templateDefinition.js';

type Media = Extract<TemplateParameter, { media: object }>['media'];
type Place = Extract<TemplateParameter, { location: object }>['location'];

export interface RenderedHeader {
  readonly format: TemplateHeader['format'];
  readonly text?: string;
  readonly media?: Media;
  readonly location?: Place;
}

export interface RenderedButton {
  readonly type: TemplateButtonType;
  readonly text?: string;
  readonly url?: string;
  readonly phoneNumber?: string;
  /** What the button copies. */
  readonly code?: string;
  /** Comes back when the quick reply is tapped. */
  readonly payload?: string;
}

export interface RenderedTemplate {
  readonly header?: RenderedHeader;
  readonly body: string;
  readonly footer?: string;
  readonly buttons: readonly RenderedButton[];
  /** Header, body and footer as plain text, an empty line between them. */
  readonly text: string;
}
