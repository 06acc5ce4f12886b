/** The command line in a terminal: help, suggestions, widths, colours and lists. */
import { expect } from 'chai';
import type { CliHost, Execute } from '../../cli/command.js';
import { cliCommands } from '../../cli/commands/index.js';
import { runCli } from '../../cli/run.js';
import { screenOf } from '../../cli/screens.js';
import { DomainError } from '../../domain/decider.js';
import type { Screen } from '../../service/admin/layout.js';

const never: Execute = () => Promise.reject(new Error('nothing may be executed'));

interface On {
  readonly screen?: Screen;
  /** Number of refreshes of `--watch`. */
  readonly polls?: number;
}

async function typed(line: string, execute: Execute = never, { screen, polls = 0 }: On = {}) {
  const shown = { out: '', err: '', waited: [] as number[] };
  const none = () => Promise.reject(new Error('nothing may be done'));
  const host: CliHost = {
    out(text) {
      shown.out += text;
    },
    err(text) {
      shown.err += text;
    },
    watched: false,
    version: '1.2.3',
    ...(screen && { screen, errScreen: screen }),
    async pause(ms) {
      shown.waited.push(ms);
      return shown.waited.length <= polls;
    },
    withExecute: (work) => work(execute),
    start: none,
    sandbox: none,
    move: none,
    settle: none,
    upkeep: none,
  };
  const status = await runCli(line.split(' ').filter(Boolean), host);
  return { status, ...shown };
}

const id = (n: number) => `6e0a014d-0000-4000-8000-00000000000${n}`;
const keys = [1, 2, 3].map((n) => ({
  keyId: id(n),
  workspaceId: id(9),
  kind: 'secret',
  mode: 'live',
  last4: 'pUDc',
  scopes: ['commerce:manage', 'conversations:manage', 'partner.stores:manage', 'partner.account:view'],
  origins: ['https://shop.example', 'https://another-shop.example'],
  createdAt: '2026-03-01T09:00:00Z',
  ...(n === 2 && { revokedAt: '2026-03-02T09:00:00Z' }),
}));
const listed: Execute = async () => ({ keys, more: false });

describe('help', () => {
  for (const line of ['start', 'sandbox', 'version', 'completion', 'admin', 'admin keys', 'webhooks', 'projections'])
    it(`is shown for suuq ${line}, by -h, by --help and by its words`, async () => {
      const all = await Promise.all([typed(`${line} -h`), typed(`${line} --help`), typed(`help ${line}`)]);
      for (const { status, out, err } of all) expect([status, err, out]).to.deep.equal([0, '', all[0]!.out]);
      expect(all[0]!.out).to.include(`suuq ${line}`);
    });

  it('is shown for every command, whatever else is typed', async () => {
    for (const { words, about } of cliCommands) {
      const line = words.join(' ');
      const { status, out } = await typed(`${line} --help`);
      expect([status, out.startsWith(about)], line).to.deep.equal([0, true]);
      expect(await typed(`help ${line}`)).to.deep.include({ status: 0, out });
    }
  });

  it('groups all commands by purpose', async () => {
    for (const line of ['help', '--help', '-h']) {
      const { status, out } = await typed(line);
      expect(status).to.equal(0);
      expect(out).to.match(/^Run$[\s\S]*suuq start[\s\S]*^Inspect$[\s\S]*suuq doctor[\s\S]*^Administer$/m);
      for (const { words } of cliCommands) expect(out).to.include(`suuq ${words.join(' ')}`);
    }
  });

  it('fits a terminal 40 columns wide', async () => {
    for (const line of ['help', 'admin keys create --help', 'admin --help']) {
      const { out } = await typed(line, never, { screen: { columns: 40, styled: false } });
      for (const row of out.split('\n')) expect([...row].length, row).to.be.at.most(40);
    }
  });
});

describe('suggestions', () => {
  const cases: [string, string][] = [
    ['doctro', "did you mean 'suuq doctor'?"],
    ['admin key list', "did you mean 'suuq admin keys list'?"],
    ['admin keys crate --mode live', "did you mean 'suuq admin keys create'?"],
    ['projection status', "did you mean 'suuq projections status'?"],
    ['help stauts', "did you mean 'suuq status'?"],
    ['keys', "did you mean 'suuq admin keys' or 'suuq audit keys'?"],
    ['keys list', "did you mean 'suuq admin keys list'?"],
    ['stores lst', "did you mean 'suuq admin stores'?"],
    ['product', "did you mean 'suuq history product'?"],
    ['order x', "did you mean 'suuq history order' or 'suuq audit order'?"],
    ['admin keys list --clumns ID', 'did you mean --columns?'],
  ];
  for (const [line, hint] of cases)
    it(`are shown for suuq ${line}`, async () => {
      const { status, out, err } = await typed(line);
      expect([status, out]).to.deep.equal([2, '']);
      expect(err).to.include(hint).and.include('Usage: suuq');
    });

  it('come with the usage of the suggested commands only', async () => {
    const { err } = await typed('keys');
    expect(err).to.include('suuq admin keys create').and.include('suuq admin keys list').and.not.include('suuq start');
  });

  it('are omitted for words unlike any command, or present in every group', async () => {
    for (const line of ['xylophone', 'list']) {
      const { err } = await typed(line);
      expect(err).to.not.include('meant');
      // The error is short enough to stay visible.
      expect(err.trimEnd().split('\n')).to.have.length(3);
      expect(err).to.include("run 'suuq help' to list the commands");
    }
  });
});

describe('errors with --json', () => {
  it('are one document on stderr, with code, sentence and paths', async () => {
    const refuse: Execute = async () => {
      throw new DomainError('name_taken', 'There is one.', [{ location: 'slug', message: 'is taken' }]);
    };
    const { status, out, err } = await typed('admin partners list --json', refuse);
    expect([status, out]).to.deep.equal([1, '']);
    expect(JSON.parse(err)).to.deep.equal({
      error: { code: 'name_taken', message: 'There is one.', problems: [{ location: 'slug', message: 'is taken' }] },
    });
    expect((await typed('admin partners list', refuse)).err).to.equal('name_taken: There is one.\n  slug is taken\n');
  });

  it('are also JSON for invalid usage', async () => {
    const { status, err } = await typed('admin plans put --key k --json');
    expect([status, JSON.parse(err)]).to.deep.equal([
      2,
      { error: { code: 'wrong_use', message: '--name is missing' } },
    ]);
  });
});

describe('a list', () => {
  const on = (columns: number) => ({ screen: { columns, styled: false } });

  for (const columns of [160, 120, 80, 40, 20])
    it(`fits a terminal of ${columns} columns, and keeps the identifying columns`, async () => {
      const { out } = await typed('admin keys list', listed, on(columns));
      for (const row of out.split('\n')) expect([...row].length, row).to.be.at.most(columns);
      for (const { keyId } of keys) expect(out.replace(/\s/g, '')).to.include(keyId);
    });

  it('has its full width without a terminal', async () => {
    const { out } = await typed('admin keys list', listed);
    expect(out.split('\n')[1]).to.include('partner.account:view  https://shop.example https://another-shop.example');
    expect(out).to.not.include('…');
  });

  it('shows the requested rows and columns', async () => {
    const { out } = await typed('admin keys list --limit 2 --columns status,id', listed);
    expect(out).to.equal(
      `STATUS   ID\nactive   ${id(1)}\nrevoked  ${id(2)}\n… and more. The list is truncated here.\n`,
    );
    const json = JSON.parse((await typed('admin keys list --limit 1 --json', listed)).out);
    expect([json.keys.length, json.more]).to.deep.equal([1, true]);
    expect(JSON.parse((await typed('admin keys list --limit 3 --json', listed)).out)).to.deep.equal({
      keys,
      more: false,
    });
  });

  it('reports the valid columns and limits', async () => {
    const { status, err } = await typed('admin keys list --columns ID,COLOUR', listed);
    expect(status).to.equal(2);
    expect(err).to.include('unknown column COLOUR. Available: ID, OWNER, KIND');
    expect((await typed('admin keys list --limit none', listed)).err).to.include('--limit must be a whole number');
    expect((await typed('admin keys list --columns ID --json', listed)).err).to.include(
      '--columns cannot be combined with --json',
    );
  });

  it('is shown repeatedly until stopped', async () => {
    const { status, out, waited } = await typed('admin keys list --watch --json', listed, { polls: 2 });
    expect([status, out.trim().split('\n').length, ...waited]).to.deep.equal([0, 3, 2_000, 2_000, 2_000]);
    expect((await typed('admin keys list --watch 0.5', listed, { polls: 1 })).waited).to.deep.equal([500, 500]);
    expect((await typed('admin keys list --watch never', listed)).status).to.equal(2);
    // Commands that change something do not repeat.
    expect((await typed('admin keys revoke --id x --watch', listed)).err).to.include("unknown option '--watch'");
  });
});

describe('colours', () => {
  const coloured = { screen: { columns: 160, styled: true } };

  it('show states, and take no width', async () => {
    const { out } = await typed('admin keys list --columns id,status', listed, coloured);
    expect(out).to.include('\u001b[32mactive\u001b[39m').and.include('\u001b[31mrevoked\u001b[39m');
    const plain = await typed('admin keys list --columns id,status', listed);
    expect(out.replace(/\u001b\[\d+m/g, '')).to.equal(plain.out);
  });

  it('are used only in terminals that support them, and not with NO_COLOR', () => {
    const terminal = { isTTY: true, columns: 100 };
    expect(screenOf(terminal, {})).to.deep.equal({ columns: 100, styled: true });
    expect(screenOf(terminal, { NO_COLOR: '1' }).styled).to.equal(false);
    expect(screenOf(terminal, { TERM: 'dumb' }).styled).to.equal(false);
    expect(screenOf({}, {})).to.deep.equal({ styled: false });
    expect(screenOf({}, { FORCE_COLOR: '1', COLUMNS: '72' })).to.deep.equal({ columns: 72, styled: true });
    expect(screenOf({}, { COLUMNS: 'wide' })).to.deep.equal({ styled: false });
  });
});

describe('completion', () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    it(`for ${shell} knows every command and its options`, async () => {
      const { status, out } = await typed(`completion ${shell}`);
      expect(status).to.equal(0);
      for (const { words } of cliCommands) expect(out).to.include(words.join(' '));
      const dashes = shell === 'fish' ? '-l ' : '--';
      for (const name of ['phone-number-id', 'with-keys']) expect(out).to.include(`${dashes}${name}`);
      for (const word of ['doctor', 'refuse']) expect(out).to.include(word);
    });

  it('lists the supported shells', async () => {
    const { status, err } = await typed('completion tcsh');
    expect(status).to.equal(2);
    expect(err).to.include('bash, zsh, fish');
    expect((await typed('completion')).err).to.include('a shell is missing');
  });
});
