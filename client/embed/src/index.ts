/**
 * Screens of a store in a page of yours: a frame of the service, and messages between the two (version 1,
 * docs/guides/embedding.md). The user token goes to the service's origin alone.
 */

/** Version of the protocol: the member `suuq` of each message. */
const VERSION = 1;

/** One page of the console; absent: all that the user's role may see. */
export type View = 'home' | 'orders' | 'inbox' | 'catalog' | 'promotions' | 'delivery';

export interface Appearance {
  /** As #RRGGBB. */
  readonly primaryColor?: string;
  /** In pixels, 0 to 32. */
  readonly radius?: number;
  readonly font?: 'inter' | 'ibm_plex_sans' | 'system';
  readonly colorMode?: 'light' | 'dark' | 'auto';
}

export interface SuuqError {
  /** Such as `user_token_invalid`, `origin_not_allowed` or `session_ended`. */
  readonly code: string;
  readonly message: string;
}

export interface MountOptions {
  /** Address of the service, such as https://api.example.com. */
  readonly baseUrl: string;
  /** `pk_…` of a store or `ppk_…` of a partner, with this page's origin among its origins. */
  readonly publishableKey: string;
  /** Returns a user token that your server has signed. Called at the begin, and when the session cannot be refreshed. */
  userToken(): string | Promise<string>;
  readonly view?: View;
  /** Overrides the partner's appearance. */
  readonly appearance?: Appearance;
  /** Follows the height of the content, without a scroll bar of its own. */
  readonly autoHeight?: boolean;
  /** `path`: below the frame's address, such as /s/{store}/orders. */
  onNavigate?(path: string): void;
  /** `count`: conversations with unread messages. */
  onUnread?(count: number): void;
  onError?(error: SuuqError): void;
}

export interface Mounted {
  readonly frame: HTMLIFrameElement;
  /** Removes the frame, and listens no more. */
  unmount(): void;
}

interface Heard {
  readonly suuq?: number;
  readonly type?: string;
  readonly path?: string;
  readonly px?: number;
  readonly count?: number;
  readonly code?: string;
  readonly message?: string;
}

const LEAST_HEIGHT = 200;
const MOST_HEIGHT = 20_000;

const errorOf = (error: unknown): SuuqError => ({
  code: 'no_user_token',
  message: error instanceof Error ? error.message : String(error),
});

/** Adds the frame to `parent`. Throws TypeError for an address that is none. */
export function mount(parent: Element, options: MountOptions): Mounted {
  const { baseUrl, publishableKey, view, appearance, autoHeight = false } = options;
  const { origin } = new URL(baseUrl);
  const frame = document.createElement('iframe');
  frame.src = `${origin}/embed/${encodeURIComponent(publishableKey)}/`;
  frame.title = 'Store';
  frame.allow = 'clipboard-write; microphone';
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, { border: '0', width: '100%', height: '100%', minHeight: `${LEAST_HEIGHT}px` });

  const post = (type: string, fields: object): void =>
    frame.contentWindow?.postMessage({ ...fields, suuq: VERSION, type }, origin);
  const giveToken = async (type: 'init' | 'token', fields: object): Promise<void> => {
    try {
      post(type, { ...fields, userToken: await options.userToken() });
    } catch (error) {
      options.onError?.(errorOf(error));
    }
  };
  const hear = ({ source, origin: from, data }: MessageEvent<Heard | null>): void => {
    if (source !== frame.contentWindow || from !== origin || data?.suuq !== VERSION) return;
    switch (data.type) {
      case 'hello':
        void giveToken('init', { view, appearance });
        break;
      case 'token-needed':
        void giveToken('token', {});
        break;
      case 'navigated':
        options.onNavigate?.(data.path ?? '/');
        break;
      case 'height':
        if (autoHeight)
          frame.style.height = `${Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.ceil(Number(data.px) || 0)))}px`;
        break;
      case 'unread':
        options.onUnread?.(Number(data.count) || 0);
        break;
      case 'error':
        options.onError?.({ code: data.code ?? 'unknown', message: data.message ?? '' });
        break;
    }
  };
  addEventListener('message', hear);
  parent.append(frame);
  return {
    frame,
    unmount() {
      removeEventListener('message', hear);
      frame.remove();
    },
  };
}

/**
 * `<suuq-store base-url publishable-key user-token view>`. Set the property `getUserToken` for sessions that last longer
 * than one token. Events: `suuq-navigate`, `suuq-unread`, `suuq-error`, with their values in `detail`.
 */
export class SuuqStore extends (globalThis.HTMLElement ?? class {}) {
  /** Returns a new user token. Without it, the attribute `user-token` is used, once. */
  getUserToken: (() => string | Promise<string>) | undefined;
  #mounted: Mounted | undefined;

  connectedCallback(): void {
    this.style.display ||= 'block';
    const view = this.getAttribute('view') as View | null;
    const report = (name: string, detail: unknown): void => void this.dispatchEvent(new CustomEvent(name, { detail }));
    this.#mounted = mount(this, {
      baseUrl: this.getAttribute('base-url') ?? location.origin,
      publishableKey: this.getAttribute('publishable-key') ?? '',
      userToken: () => this.getUserToken?.() ?? this.#onlyToken(),
      ...(view !== null && { view }),
      autoHeight: this.hasAttribute('auto-height'),
      onNavigate: (path) => report('suuq-navigate', path),
      onUnread: (count) => report('suuq-unread', count),
      onError: (error) => report('suuq-error', error),
    });
  }

  disconnectedCallback(): void {
    this.#mounted?.unmount();
    this.#mounted = undefined;
  }

  #onlyToken(): string {
    const token = this.getAttribute('user-token');
    if (token === null) throw new TypeError('Set the attribute user-token or the property getUserToken.');
    this.removeAttribute('user-token');
    return token;
  }
}

if (globalThis.customElements?.get('suuq-store') === undefined)
  globalThis.customElements?.define('suuq-store', SuuqStore);
