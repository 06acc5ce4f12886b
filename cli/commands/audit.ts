import { resolve } from 'node:path';
import { UsageError } from '../../service/admin/declaration.js';
import { count, type Shown, table } from '../../service/admin/text.js';
import type { AuditResult } from '../../upkeep/audit/audit.js';
import type { EarlierLog } from '../../upkeep/audit/earlierLogs.js';
import { type CliCommand, directCommand, type Typed } from '../command.js';
import { upkeepShown } from '../progress.js';

/** Clocks may be so far apart, and an event may be written so long behind its decision, in seconds. */
const TOLERANCE = 120;
const MOST_TOLERANCE = 86_400 * 365;

const PROOF: Readonly<Record<EarlierLog['proof'], string>> = {
  opened: 'Its decrypted events match that root and every earlier head.',
  forgotten: 'Only the statement proves it, because a data subject was erased since.',
  no_keys: 'Only the statement proves it, because the vault or the master key is missing.',
  unreadable: 'Only the statement proves it, because the events cannot be decrypted to their original form.',
  differs: 'Only the statement proves it, because the earlier root can no longer be derived from the log.',
};

function earlierText({ statement: { from, to, time, keyId }, proof, heads, outsideHeads }: EarlierLog): string {
  const outside = outsideHeads > 0 ? `, ${count(outsideHeads)} of them stored by others` : '';
  return `Moved at ${time}, sealing personal data: the root of ${count(from.size)} events was ${from.rootHash} and became ${to.rootHash} (signed by ${keyId}; ${count(heads)} earlier heads${outside}). ${PROOF[proof]}`;
}

const AS_SIGNED = 'The history matches all signed heads.';
const UNSIGNED =
  'No head has been signed yet, so the history cannot be verified. The service signs a head each minute. To sign one now, run: suuq audit head';

function auditText(result: AuditResult): Shown {
  const { whole, events, inTree, heads, outsideHeads, rootHash, earlier, faults, faultCount, eventsPerSecond } = result;
  const outside = outsideHeads > 0 ? `, ${count(outsideHeads)} of them stored by others` : '';
  const counts = [
    `${count(events)} events (${count(eventsPerSecond)}/s); ${count(Math.min(inTree, events))} of them are in the stored tree.`,
    `${count(heads)} signed heads${outside}.`,
    `Their root hash is ${rootHash}.`,
    ...earlier.map(earlierText),
  ];
  if (whole) return [...counts, heads > 0 || earlier.length > 0 ? AS_SIGNED : UNSIGNED];
  const more = faultCount > faults.length ? [`… and ${count(faultCount - faults.length)} more.`] : [];
  const rows = faults.map(({ kind, place, what }) => [kind, place, what]);
  return [...counts, '', table(['FAULT', 'PLACE', 'WHAT'], rows, ''), ...more, '', `${count(faultCount)} faults.`];
}

function toleranceOf(typed: Typed): number {
  const text = typed.one('tolerance');
  const seconds = text === undefined ? TOLERANCE : Number(text);
  if (seconds >= 0 && seconds <= MOST_TOLERANCE) return seconds;
  throw new UsageError(`--tolerance must be from 0 to ${MOST_TOLERANCE}`);
}

const isAddress = (place: string): boolean => /^https?:\/\//.test(place);

export const auditCommands: readonly CliCommand[] = [
  directCommand<AuditResult>({
    words: ['audit', 'verify'],
    about: 'Verify the whole log against its tree and every signed head.',
    options: {
      heads: {
        value: 'FILE|URL',
        about: 'Signed heads that somebody else has stored, such as an auditor.',
        many: true,
      },
      tolerance: { value: 'N', about: `Seconds that timestamps may go back. Default: ${TOLERANCE}.` },
    },
    direct(typed, host, terminal) {
      const heads = typed.all('heads').map((place) => (isAddress(place) ? place : resolve(place)));
      const requested = { heads, toleranceSeconds: toleranceOf(typed) };
      return upkeepShown(host, terminal, (upkeep, report) => upkeep.audit(requested, report));
    },
    text: auditText,
    failed: ({ whole }) => !whole,
  }),
];
