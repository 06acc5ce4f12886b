/** What a template is, and what the channel tells of it. (shared reference: 'Message templates'.) */
import type { JsonObject } from '../../domain/jsonObject.js';

export type ReviewStatus =
  | 'PENDING'
  | 'APPROVED'
  | 'REJECTED'
  | 'PAUSED'
  | 'DISABLED'
  | 'IN_APPEAL'
  | 'LIMIT_EXCEEDED'
  | 'PENDING_DELETION'
  | 'ARCHIVED'
  | 'DELETED';

/** What the channel tells of a template, and the status that it has from then on; none: it stays what it is. */
export const TEMPLATE_EVENTS = {
  PENDING: 'PENDING',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
  PAUSED: 'PAUSED',
  DISABLED: 'DISABLED',
  FLAGGED: undefined,
  IN_APPEAL: 'IN_APPEAL',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  REINSTATED: 'APPROVED',
  PENDING_DELETION: 'PENDING_DELETION',
  DELETED: 'DELETED',
  ARCHIVED: 'ARCHIVED',
} as const satisfies Readonly<Record<string, ReviewStatus | undefined>>;
export type TemplateEvent = keyof typeof TEMPLATE_EVENTS;

export const QUALITIES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;
export type Quality = (typeof QUALITIES)[number];

/** What is submitted. `category`, `parameterFormat`: in capitals, as the channel writes them. */
export interface TemplateContent {
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly parameterFormat: 'POSITIONAL' | 'NAMED';
  readonly components: readonly JsonObject[];
}

export interface SandboxTemplate extends TemplateContent {
  readonly id: string;
  readonly businessAccountId: string;
  readonly status: ReviewStatus;
  readonly rejectedReason?: string;
  readonly quality: Quality;
  /** When its review ends by itself, ms since 1970. */
  readonly reviewedAt?: number;
}
