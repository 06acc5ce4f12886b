/** Small things that pages share. */
import type { ConsoleWaitingBody } from '../../../api/console/contract.js';
import { day, exact, second, words } from './format.js';

/** A time in the store's zone; the exact instant is in its title. */
export const When = ({ at, zone, text }: { at: string; zone?: string | undefined; text?: string }) => (
  <time dateTime={at} title={exact(at, zone)}>
    {text ?? day(at, zone)}
  </time>
);

/** Work that a store's error blocks. It continues by itself after the error. */
export const Waiting = ({ all }: { all: readonly ConsoleWaitingBody[] }) =>
  all.map(({ name, error, since }) => (
    <p key={name} class="stopped" role="status">
      <strong>{name}</strong> cannot reach a store and retries: {error} (since <When at={since} />)
    </p>
  ));

/** The same to the second: of events, many of which happen within a minute. */
export const WhenExactly = ({ at, zone }: { at: string; zone?: string | undefined }) => (
  <When at={at} zone={zone} text={second(at, zone)} />
);

const TONES: Readonly<Record<string, string>> = {
  new: 'blue',
  awaiting_payment: 'amber',
  paid: 'green',
  preparing: 'violet',
  out_for_delivery: 'violet',
  delivered: 'green',
  cancelled: 'red',
  refunded: 'grey',
  live: 'green',
  running: 'green',
  succeeded: 'green',
  active: 'green',
  catching_up: 'amber',
  rebuilding: 'violet',
  elsewhere: 'grey',
  stopped: 'red',
  failed: 'red',
  disabled: 'red',
  queued: 'amber',
  in_review: 'blue',
  approved: 'green',
  rejected: 'red',
  inactive: 'grey',
};

export const Chip = ({ value, label }: { value: string; label?: string }) => (
  <span class={`chip ${TONES[value] ?? 'grey'}`}>{label ?? words(value)}</span>
);

/** People's own words: they may run from right to left, and hold whatever they like. */
export const Own = ({ text }: { text: string }) => <bdi dir="auto">{text}</bdi>;

export const short = (id: string): string => id.slice(0, 8);
