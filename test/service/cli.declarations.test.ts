/** Each operator command is declared once, so the command line and the admin socket require the same options. */
import { expect } from 'chai';
import { runCli } from '../../cli/run.js';
import { DomainError } from '../../domain/decider.js';
import { adminCommands, executeAdmin } from '../../service/admin/adminCommands.js';
import type { AdminContext } from '../../service/admin/context.js';
import type { AdminCommand } from '../../service/admin/declaration.js';

/** Context that fails on any access. */
const untouched = new Proxy({} as AdminContext, {
  get(_, part) {
    throw new Error(`${String(part)} was used`);
  },
});

async function typed(...args: string[]) {
  const sent: [string, object][] = [];
  const texts = { out: '', err: '' };
  const status = await runCli(args, {
    out(text) {
      texts.out += text;
    },
    err(text) {
      texts.err += text;
    },
    watched: false,
    version: '0',
    withExecute: (work) =>
      work(async (command, input) => {
        sent.push([command, input as object]);
        throw new DomainError('enough', 'What was sent is known.');
      }),
    start: async () => 0,
    sandbox: async () => 0,
    move: async () => ({}),
    settle: async () => ({}),
    upkeep: () => Promise.reject(new Error('nothing may be copied')),
  });
  return { status, sent, ...texts };
}

const dashed = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Builds the command with its required options, or all but one of them. */
function line({ words, options }: AdminCommand, without?: string): string[] {
  const required = Object.entries(options).filter(([name, option]) => option.required && name !== without);
  const named = required.filter(([, { argument }]) => argument === undefined);
  const placed = required.filter(([, { argument }]) => argument !== undefined);
  return [
    ...words,
    ...named.flatMap(([name, { typedAs }]) => [`--${typedAs ?? dashed(name)}`, 'x']),
    ...placed.map(() => 'x'),
  ];
}

describe("the operator's commands", () => {
  it('have unique names and descriptions', () => {
    expect(new Set(adminCommands.map(({ name }) => name)).size).to.equal(adminCommands.length);
    expect(new Set(adminCommands.map(({ words }) => words.join(' '))).size).to.equal(adminCommands.length);
  });

  for (const command of adminCommands) {
    const required = Object.entries(command.options).filter(([, option]) => option.required);

    // Positional arguments: the last one is missing.
    const lastArgument = required.findLast(([, { argument }]) => argument !== undefined)?.[1].argument;
    for (const [name, { argument, typedAs }] of required)
      it(`${command.name} requires ${name}, typed or sent`, async () => {
        const { status, err, sent } = await typed(...line(command, name));
        expect([status, sent], err).to.deep.equal([2, []]);
        expect(err).to.include(
          `${argument === undefined ? `--${typedAs ?? dashed(name)}` : `<${lastArgument}>`} is missing`,
        );
        const refused = await executeAdmin(untouched, command.name, {}).catch((error) => error);
        expect(refused.code).to.equal('validation_failed');
        expect(refused.problems.map(({ location }: { location: string }) => location)).to.include(name);
      });

    it(`${command.name} is sent under its name, with only its own fields`, async () => {
      const either = command.either?.required ? [`--${dashed(command.either.of[0])}`, 'x'] : [];
      const own = command.name === 'teams.put' ? ['--file', 'package.json'] : [];
      const { sent, err } = await typed(...line(command), ...either, ...own);
      expect(sent, err).to.have.lengthOf(1);
      expect(sent[0]![0]).to.equal(command.name);
      expect(Object.keys(command.options)).to.have.members(Object.keys(sent[0]![1]));
    });
  }
});
