/** The log as it grows, for people and for scripts. */
import { once } from 'node:events';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { UsageError } from '../../service/admin/declaration.js';
import { plain } from '../../service/admin/text.js';
import type { TailResult } from '../../upkeep/streams/tail.js';
import { type CliCommand, directCommand, type Terminal, type Typed } from '../command.js';
import { timeOptionMs } from '../timeOption.js';

const WIDTH = 120;

function wholeOf(typed: Typed, option: string, least: number): number | undefined {
  const text = typed.one(option);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`--${option} must be a whole number, ${least} or more`);
}

function lineOf({ position, type, stream, meta, data }: RecordedEvent): string {
  const text = plain(JSON.stringify(data));
  const cut = text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`;
  return `${meta.at}  ${position}  ${plain(type)}  ${plain(stream)}  ${cut}\n`;
}

async function out(terminal: Terminal, text: string): Promise<void> {
  terminal.out(text);
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

export const eventCommands: readonly CliCommand[] = [
  directCommand<TailResult>({
    words: ['events', 'tail'],
    about: 'Print events as they are stored, until interrupted.',
    options: {
      type: { value: 'TYPE,TYPE', about: 'Only events of these types.' },
      store: { value: 'ID', about: "Only this store's events." },
      from: { value: 'TIME', about: 'Start at this time. Default: only new events.' },
      after: { value: 'POSITION', about: 'Start after this position.' },
      limit: { value: 'N', about: 'Stop after N events.' },
    },
    async direct(typed, host, terminal) {
      const asJson = typed.one('json') !== undefined;
      const limit = wholeOf(typed, 'limit', 1) ?? Number.POSITIVE_INFINITY;
      const types = typed
        .one('type')
        ?.split(',')
        .map((type) => type.trim());
      const store = typed.one('store')?.toLowerCase();
      const requested = defined({
        types,
        store,
        from: timeOptionMs(typed, 'from'),
        after: wholeOf(typed, 'after', -1),
      });
      if (requested.from !== undefined && requested.after !== undefined) throw new UsageError('give --from or --after');
      const upkeep = await host.upkeep();
      let count = 0;
      return upkeep.tailEvents(requested, async (event) => {
        await out(terminal, asJson ? `${JSON.stringify(event)}\n` : lineOf(event));
        count += 1;
        return count < limit;
      });
    },
    text: ({ events, position }) => `${events} events. Continue with --after ${position}.`,
  }),
];
