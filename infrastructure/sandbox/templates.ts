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

export interface SandboxTemplates {
  create(businessAccountId: string, content: TemplateContent): Promise<SandboxTemplate>;
  /** Reviewed again. */
  edit(id: string, change: Pick<TemplateContent, 'category' | 'components' | 'parameterFormat'>): Promise<void>;
  /** Applies an event as the channel's webhooks report it; nothing for an unknown template. */
  move(id: string, event: TemplateEvent, reason?: string): Promise<void>;
  rate(id: string, quality: Quality): Promise<void>;
  find(id: string): SandboxTemplate | undefined;
  /** Templates of one account, which include those shared by every account; without one, of all accounts. Oldest first. */
  list(businessAccountId?: string): readonly SandboxTemplate[];
  apply(entry: TemplateEntry): void;
  entries(): Iterable<TemplateEntry>;
  /** Goes on with reviews that were under way. */
  resume(): void;
  close(): void;
}

/** The same in every run. */
const defaultId = (businessAccountId: string, { name, language }: TemplateContent): string => {
  const hash = createHash('sha256').update(`${businessAccountId} ${name} ${language}`).digest();
  return String(1e14 + Number(hash.readBigUInt64BE() % BigInt(9e14)));
};

export function createTemplates({ clock, reviewMs, save, notify }: TemplatesOptions): SandboxTemplates {
  const templates = new Map<string, SandboxTemplate>();
  const accounts = new Set<string>();
  const timers = new Map<string, () => void>();

  function apply({ template }: TemplateEntry): void {
    templates.set(template.id, template);
    dropOldest(templates, KEPT);
  }
  /** The account's, which begin with those that every account has. */
  function open(businessAccountId: string): void {
    if (accounts.has(businessAccountId)) return;
    accounts.add(businessAccountId);
    for (const content of DEFAULT_TEMPLATES) {
      const id = defaultId(businessAccountId, content);
      if (!templates.has(id))
        apply({
          kind: 'template',
          template: { ...content, id, businessAccountId, status: 'APPROVED', quality: 'GREEN' },
        });
    }
  }
  const find = (id: string): SandboxTemplate | undefined => {
    const template = templates.get(id);
    return template?.status === 'DELETED' ? undefined : template;
  };
  async function change(template: SandboxTemplate): Promise<void> {
    const entry: TemplateEntry = { kind: 'template', template };
    apply(entry);
    await save(entry);
  }
  const update = ({ id, businessAccountId, name, language }: SandboxTemplate, field: string, value: object): void =>
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

  async function move(id: string, event: TemplateEvent, reason?: string): Promise<void> {
    const template = find(id);
    if (template === undefined) return;
    timers.get(id)?.();
    timers.delete(id);
    const { reviewedAt: _, rejectedReason: __, ...rest } = template;
    const status = TEMPLATE_EVENTS[event] ?? template.status;
    await change({ ...rest, status, ...(event === 'REJECTED' ? { rejectedReason: reason ?? REASON } : {}) });
    const reported = reason ?? (event === 'REJECTED' ? REASON : 'NONE');
    update(template, 'message_template_status_update', { event, reason: reported });
  }

  /** A name with `reject` in it is refused. */
  function review({ id, name, reviewedAt }: SandboxTemplate): void {
    if (reviewedAt === undefined) return;
    timers.get(id)?.();
    timers.set(
      id,
      clock.at(reviewedAt, () => void move(id, name.includes('reject') ? 'REJECTED' : 'APPROVED')),
    );
  }
  async function submit(
    template: Omit<SandboxTemplate, 'status' | 'reviewedAt' | 'rejectedReason'>,
  ): Promise<SandboxTemplate> {
    const ms = reviewMs();
    const pending: SandboxTemplate = {
      ...template,
      status: 'PENDING',
      ...(ms === undefined ? {} : { reviewedAt: clock.now() + ms }),
    };
    await change(pending);
    review(pending);
    return pending;
  }

  return {
    create(businessAccountId, content) {
      open(businessAccountId);
      const id = String(randomInt(1e14, 2 ** 48 - 1));
      return submit({ ...content, id, businessAccountId, quality: 'UNKNOWN' });
    },
    async edit(id, requested) {
      const { status: _, reviewedAt: __, rejectedReason: ___, ...template } = find(id)!;
      await submit({ ...template, ...requested });
    },
    move,
    async rate(id, quality) {
      const template = find(id);
      if (template === undefined) return;
      await change({ ...template, quality });
      const scores = { previous_quality_score: template.quality, new_quality_score: quality };
      update(template, 'message_template_quality_update', scores);
    },
    find,
    list(businessAccountId) {
      open(businessAccountId ?? NO_ACCOUNT);
      return [...templates.values()].filter(
        (one) =>
          one.status !== 'DELETED' && (businessAccountId === undefined || one.businessAccountId === businessAccountId),
      );
    },
    apply,
    *entries() {
      for (const template of templates.values()) yield { kind: 'template', template };
    },
    resume() {
      for (const template of templates.values()) if (template.status === 'PENDING') review(template);
    },
    close() {
      for (const cancel of timers.values()) cancel();
    },
  };
}
