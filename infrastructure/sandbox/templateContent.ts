/** Content of a template, and the channel's events about it. (shared reference: 'Message templates'.) */
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

/** Events of the channel about a template, and its status after each; none: unchanged. */
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

/** Submitted content. `category`, `parameterFormat`: in capitals, as in the channel's format. */
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
