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
  opened: 'Its events, opened, give that root, and every head of then.',
  forgotten: 'Somebody in it was forgotten since, so the statement alone says so.',
  no_keys: 'The vault or the master key is not here to open it, so the statement alone says so.',
  unreadable: 'It cannot be opened as it was, so the statement alone says so.',
  differs: 'The root of then does not follow from it any more, so the statement alone says so.',
};

function earlierText({ statement: { from, to, time, keyId }, proof, heads, outsideHeads }: EarlierLog): string {
  const kept = outsideHeads > 0 ? `, of which others have kept ${count(outsideHeads)}` : '';
  return `Moved at ${time}, people sealed: the root over ${count(from.size)} events was ${from.rootHash} and became ${to.rootHash} (signed by ${keyId}; ${count(heads)} heads of before${kept}). ${PROOF[proof]}`;
}

const AS_SIGNED = 'The history is as it was signed.';
const UNSIGNED =
  'No head was signed yet, so nothing says whether the history is as it was. The service signs one each minute; so does: suuq audit head';

function auditText(result: AuditResult): Shown {
  const { whole, events, inTree, heads, outsideHeads, rootHash, earlier, faults, faultCount, eventsPerSecond } = result;
  const kept = outsideHeads > 0 ? `, of which others have kept ${count(outsideHeads)}` : '';
  const looked = [
    `${count(events)} events (${count(eventsPerSecond)}/s); ${count(Math.min(inTree, events))} of them are in the kept tree.`,
    `${count(heads)} signed heads${kept}.`,
    `The root over all of them is ${rootHash}.`,
    ...earlier.map(earlierText),
  ];
  if (whole) return [...looked, heads > 0 || earlier.length > 0 ? AS_SIGNED : UNSIGNED];
  const more = faultCount > faults.length ? [`… and ${count(faultCount - faults.length)} more.`] : [];
  const rows = faults.map(({ kind, place, what }) => [kind, place, what]);
  return [...looked, '', table(['FAULT', 'PLACE', 'WHAT'], rows, ''), ...more, '', `${count(faultCount)} faults.`];
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
      const asked = { heads, toleranceSeconds: toleranceOf(typed) };
      return upkeepShown(host, terminal, (upkeep, tell) => upkeep.audit(asked, tell));
    },
    text: auditText,
    failed: ({ whole }) => !whole,
  }),
];
