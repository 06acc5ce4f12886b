/** The guides, in the order in which one reads them. Their sources are the project's own pages. */

export interface GuideEntry {
  /** `/docs/guides/{slug}`. */
  readonly slug: string;
  /** From the project's folder. */
  readonly file: string;
  /** In the navigation. */
  readonly title: string;
  /** In a line. */
  readonly about: string;
  readonly group: 'Start' | 'Build' | 'Reliability';
}

export const GROUPS = ['Start', 'Build', 'Reliability'] as const;

const guide = (group: GuideEntry['group'], slug: string, file: string, title: string, about: string): GuideEntry => ({
  ...{ group, slug, file, title, about },
});

export const GUIDES: readonly GuideEntry[] = [
  guide(
    'Start',
    'first-order',
    'docs/guides/first-order.md',
    'Your first order',
    'From an empty folder to a paid order, in ten minutes.',
  ),
  guide(
    'Start',
    'keys',
    'docs/guides/keys.md',
    'Keys and scopes',
    'Which credential belongs where, and what it may do.',
  ),
  guide('Start', 'typescript', 'client/README.md', 'TypeScript client', 'Every operation as a typed function.'),
  guide('Start', 'sandbox', 'docs/guides/sandbox.md', 'Sandbox', 'Act as a customer, without a phone or money.'),
  guide('Build', 'webhooks', 'docs/guides/webhooks.md', 'Webhooks', 'Receive events, signed and in order.'),
  guide('Build', 'inbox', 'docs/guides/inbox.md', 'Inbox', 'Read and answer conversations with customers.'),
  guide(
    'Build',
    'templates',
    'docs/guides/templates.md',
    'Templates',
    'Approved texts for customers after 24 hours of silence.',
  ),
  guide('Build', 'files', 'docs/guides/files.md', 'Files', 'Photos, voice notes and documents, both ways.'),
  guide('Build', 'payments', 'docs/guides/payments.md', 'Payments', 'From checkout to paid, and refunds.'),
  guide('Build', 'pricing', 'docs/concepts/pricing.md', 'Pricing', 'How the total of a cart is calculated.'),
  guide(
    'Build',
    'pricing-examples',
    'docs/concepts/pricing-examples.md',
    'Pricing examples',
    'Carts with their totals, to the cent.',
  ),
  guide(
    'Build',
    'sessions',
    'docs/guides/sessions.md',
    'Sessions',
    'Let your users into their stores from a browser or an app.',
  ),
  guide('Build', 'embedding', 'docs/guides/embedding.md', 'Embedding', 'Show a store’s screens in a page of your own.'),
  guide(
    'Reliability',
    'retries',
    'docs/guides/retries.md',
    'Idempotency and retries',
    'Repeat a request without doing it twice.',
  ),
  guide('Reliability', 'paging', 'docs/guides/paging.md', 'Paging', 'Read lists of any length.'),
  guide('Reliability', 'errors', 'docs/guides/errors.md', 'Errors', 'One format for every error.'),
  guide(
    'Reliability',
    'versioning',
    'docs/guides/versioning.md',
    'Versioning',
    'What may change within v1, and what never does.',
  ),
  guide(
    'Reliability',
    'going-live',
    'docs/guides/going-live.md',
    'Going live',
    'A checklist before your first customers.',
  ),
];
