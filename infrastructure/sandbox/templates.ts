/** Message templates by business account: their contents, their review and their quality. (shared reference: 'Message templates'.) */

import { createHash, randomInt } from 'node:crypto';
import type { Clock } from '../../engine/ports/clock.js';
import { dropOldest } from '../dropOldest.js';
import { DEFAULT_TEMPLATES } from './defaultTemplates.js';
import {
  type Quality,
  type SandboxTemplate,
  TEMPLATE_EVENTS,
  type TemplateContent,
  type TemplateEvent,
} from './templateContent.js';
import type { AccountUpdate } from './webhookCalls.js';

/** A template as the journal keeps it. */
export interface TemplateEntry {
  readonly kind: 'template';
  readonly template: SandboxTemplate;
}

const KEPT = 20_000;
const REASON = 'INVALID_FORMAT';
/** Account of numbers whose account is unknown. */
const NO_ACCOUNT = 'sandbox';

export interface TemplatesOptions {
  readonly clock: Clock;
  /** How long a review takes, ms; undefined: until it is decided by hand. */
  readonly reviewMs: () => number | undefined;
  readonly save: (entry: TemplateEntry) => Promise<void>;
  readonly notify: (update: AccountUpdate) => void;
}

/** The same in every run. */
const defaultId = (businessAccountId: string, { name, language }: TemplateContent): string => {
  const hash = createHash('sha256').update(`${businessAccountId} ${name} ${language}`).digest();
  return String(1e14 + Number(hash.readBigUInt64BE() % BigInt(9e14)));
};

export class SandboxTemplates {
  readonly #options: TemplatesOptions;
  readonly #templates = new Map<string, SandboxTemplate>();
  readonly #accounts = new Set<string>();
  readonly #timers = new Map<string, () => void>();

  constructor(options: TemplatesOptions) {
    this.#options = options;
  }

  create(businessAccountId: string, content: TemplateContent): Promise<SandboxTemplate> {
    this.#open(businessAccountId);
    const id = String(randomInt(1e14, 2 ** 48 - 1));
    return this.#submit({ ...content, id, businessAccountId, quality: 'UNKNOWN' });
  }

  /** Reviewed again. */
  async edit(
    id: string,
    requested: Pick<TemplateContent, 'category' | 'components' | 'parameterFormat'>,
  ): Promise<void> {
    const { status: _, reviewedAt: __, rejectedReason: ___, ...template } = this.find(id)!;
    await this.#submit({ ...template, ...requested });
  }

  async rate(id: string, quality: Quality): Promise<void> {
    const template = this.find(id);
    if (template === undefined) return;
    await this.#change({ ...template, quality });
    const scores = { previous_quality_score: template.quality, new_quality_score: quality };
    this.#update(template, 'message_template_quality_update', scores);
  }

  /** Templates of one account, which include those shared by every account; without one, of all accounts. Oldest first. */
  list(businessAccountId?: string): readonly SandboxTemplate[] {
    this.#open(businessAccountId ?? NO_ACCOUNT);
    return [...this.#templates.values()].filter(
      (one) =>
        one.status !== 'DELETED' && (businessAccountId === undefined || one.businessAccountId === businessAccountId),
    );
  }

  *entries(): Iterable<TemplateEntry> {
    for (const template of this.#templates.values()) yield { kind: 'template', template };
  }

  /** Goes on with reviews that were under way. */
  resume(): void {
    for (const template of this.#templates.values()) if (template.status === 'PENDING') this.#review(template);
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
  }

  apply({ template }: TemplateEntry): void {
    this.#templates.set(template.id, template);
    dropOldest(this.#templates, KEPT);
  }

  find(id: string): SandboxTemplate | undefined {
    const template = this.#templates.get(id);
    return template?.status === 'DELETED' ? undefined : template;
  }

  /** Applies an event as the channel's webhooks report it; nothing for an unknown template. */
  async move(id: string, event: TemplateEvent, reason?: string): Promise<void> {
    const template = this.find(id);
    if (template === undefined) return;
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    const { reviewedAt: _, rejectedReason: __, ...rest } = template;
    const status = TEMPLATE_EVENTS[event] ?? template.status;
    await this.#change({ ...rest, status, ...(event === 'REJECTED' ? { rejectedReason: reason ?? REASON } : {}) });
    const reported = reason ?? (event === 'REJECTED' ? REASON : 'NONE');
    this.#update(template, 'message_template_status_update', { event, reason: reported });
  }

  /** The account's, which begin with those that every account has. */
  #open(businessAccountId: string): void {
    if (this.#accounts.has(businessAccountId)) return;
    this.#accounts.add(businessAccountId);
    for (const content of DEFAULT_TEMPLATES) {
      const id = defaultId(businessAccountId, content);
      if (!this.#templates.has(id))
        this.apply({
          kind: 'template',
          template: { ...content, id, businessAccountId, status: 'APPROVED', quality: 'GREEN' },
        });
    }
  }

  async #change(template: SandboxTemplate): Promise<void> {
    const { save } = this.#options;
    const entry: TemplateEntry = { kind: 'template', template };
    this.apply(entry);
    await save(entry);
  }

  #update({ id, businessAccountId, name, language }: SandboxTemplate, field: string, value: object): void {
    const { notify } = this.#options;
    notify({
      businessAccountId,
      field,
      value: {
        ...value,
        message_template_id: Number(id),
        message_template_name: name,
        message_template_language: language,
      },
    });
  }

  /** A name with `reject` in it is refused. */
  #review({ id, name, reviewedAt }: SandboxTemplate): void {
    const { clock } = this.#options;
    if (reviewedAt === undefined) return;
    this.#timers.get(id)?.();
    this.#timers.set(
      id,
      clock.at(reviewedAt, () => void this.move(id, name.includes('reject') ? 'REJECTED' : 'APPROVED')),
    );
  }

  async #submit(template: Omit<SandboxTemplate, 'status' | 'reviewedAt' | 'rejectedReason'>): Promise<SandboxTemplate> {
    const { clock, reviewMs } = this.#options;
    const ms = reviewMs();
    const pending: SandboxTemplate = {
      ...template,
      status: 'PENDING',
      ...(ms === undefined ? {} : { reviewedAt: clock.now() + ms }),
    };
    await this.#change(pending);
    this.#review(pending);
    return pending;
  }
}
