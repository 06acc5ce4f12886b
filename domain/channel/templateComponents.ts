/** The parameters of a template as sending takes them, stored with the messages that were sent. Add fields as optional. */

/** One value for a variable. (Specification 2, 'Templates': parameter value shapes.) */
export type TemplateParameter =
  | { readonly type: 'text'; readonly text: string; readonly parameterName?: string }
  /** `amount1000`: amount × 1000; `code`: ISO 4217. */
  | {
      readonly type: 'currency';
      readonly currency: { readonly amount1000: number; readonly code: string; readonly fallbackValue: string };
      readonly parameterName?: string;
    }
  | {
      readonly type: 'date_time';
      readonly dateTime: { readonly fallbackValue: string };
      readonly parameterName?: string;
    }
  /** For a header: exactly one of `link` (public https) and `fileId` (an uploaded file). */
  | {
      readonly type: 'image' | 'video' | 'document';
      readonly media: { readonly link?: string; readonly fileId?: string; readonly filename?: string };
    }
  | {
      readonly type: 'location';
      readonly location: {
        readonly latitude: number;
        readonly longitude: number;
        readonly name?: string;
        readonly address?: string;
      };
    }
  /** Comes back when a quick reply is tapped. */
  | { readonly type: 'payload'; readonly payload: string }
  | { readonly type: 'coupon_code'; readonly couponCode: string };

export interface TemplateComponent {
  readonly type: 'header' | 'body' | 'button';
  /** With `button`. */
  readonly subType?: 'quick_reply' | 'url' | 'copy_code';
  /** Place of the button, from 0. */
  readonly index?: number;
  readonly parameters?: readonly TemplateParameter[];
}
