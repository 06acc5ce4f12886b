/** Invalid arguments after a command's words are refused before anything runs. */
import { expect } from 'chai';
import { runCli } from '../../cli/run.js';
import { timeMs } from '../../service/admin/times.js';

async function typed(...args: readonly string[]): Promise<{ status: number; err: string }> {
  let err = '';
  const never = () => Promise.reject(new Error('nothing may be done'));
  const status = await runCli(args, {
    out: () => {},
    err(text) {
      err += text;
    },
    watched: false,
    version: '1.2.3',
    withExecute: (work) => work(never),
    start: never,
    sandbox: never,
    move: never,
    settle: never,
    upkeep: never,
  });
  return { status, err };
}

describe('an empty argument', () => {
  const cases: [readonly string[], string][] = [
    [['backup', ''], '<DIR|s3://BUCKET/PREFIX> must not be empty'],
    [['restore', ''], '<DIR|s3://BUCKET/PREFIX> must not be empty'],
    [['export', '  '], '<DIR> must not be empty'],
    [['move', '--to-folder', ''], '--to-folder must not be empty'],
    [['query', ''], '<sql> must not be empty'],
    [['query', 'select 1', '--from', ''], '--from must not be empty'],
    [['admin', 'stores', 'list', '--partner', ''], '--partner must not be empty'],
    [['admin', 'keys', 'create', '--scope', '', '--mode', 'test'], '--scope must not be empty'],
    [['history', 'order', 'o', '--diff', '', ''], '--diff must not be empty'],
  ];
  for (const [args, text] of cases)
    it(`is rejected: suuq ${args.map((word) => word || "''").join(' ')}`, async () => {
      const { status, err } = await typed(...args);
      expect([status, err.split('\n', 1)[0]]).to.deep.equal([2, `suuq: ${text}`]);
    });
});

describe('an invalid time', () => {
  for (const time of [
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-06-31T10:00:00+03:00',
    '2026-06-01T25:00:00Z',
  ])
    it(`is rejected: ${time}`, async () => {
      for (const line of [
        ['history', 'order', 'o', '--at', time],
        ['history', 'order', 'o', '--diff', '2026-02-01T10:00:00Z', time],
        ['export', 'folder', '--to', time],
        ['events', 'tail', '--from', time],
        ['projections', 'try', 'file.ts', '--from', time],
      ]) {
        const { status, err } = await typed(...line);
        expect([status, err], line.join(' ')).to.satisfy(
          ([code, text]: [number, string]) => code === 2 && text.includes(`${time} is not a time`),
        );
      }
    });

  it('does not include one with an offset, without seconds or in lower case', () => {
    const noon = Date.parse('2026-02-28T12:00:00Z');
    for (const time of ['2026-02-28T12:00Z', '2026-02-28t12:00:00z', '2026-02-28T15:00:00.000+03:00'])
      expect(timeMs(time), time).to.equal(noon);
    expect(timeMs('2028-02-29T12:00:00Z')).to.equal(Date.parse('2028-02-29T12:00:00Z'));
    expect(timeMs('2026-02-28T12:00:00')).to.equal(undefined);
  });
});
