/** A template in the form that customers see. (Specification 2, 'Preview output'.) */
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
  /** Code that the button copies. */
  readonly code?: string;
  /** Returned when the quick reply is tapped. */
  readonly payload?: string;
}

export interface RenderedTemplate {
  readonly header?: RenderedHeader;
  readonly body: string;
  readonly footer?: string;
  readonly buttons: readonly RenderedButton[];
  /** Header, body and footer as plain text, separated by empty lines. */
  readonly text: string;
}
