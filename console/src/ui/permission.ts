/** Permissions of the signed-in person. The server decides; pages only leave out what it would refuse. */
import type { ConsoleSessionBody } from '../../../api/console/contract.js';

/** Scopes of the API that pages need. `console:open`: everything of the store. */
export type Scope =
  | 'commerce:manage'
  | 'console:open'
  | 'developers:manage'
  | 'inbox:reply'
  | 'members:view'
  | 'orders:manage'
  | 'orders:view'
  | 'payments:manage'
  | 'templates:manage';

const CLOSED: readonly string[] = ['suspended', 'cancelled'];

/** Returns whether the person sees this. Only members are limited to the scopes of their role. */
export const canSee = ({ member }: ConsoleSessionBody, scope: Scope): boolean =>
  member === undefined || member.scopes.includes(scope);

/** Returns whether the person may change this: not an auditor, and nobody in a closed store. */
export const canChange = (session: ConsoleSessionBody, scope: Scope): boolean =>
  session.role !== 'auditor' && canSee(session, scope) && !CLOSED.includes(session.member?.storeStatus ?? '');

/** Returns whether the person sees a single store. */
export const seesOneStore = ({ role }: ConsoleSessionBody): boolean => role === 'store' || role === 'member';
