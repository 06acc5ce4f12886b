import type { Shown } from '../../service/admin/text.js';
import type { Diagnosis } from '../../upkeep/doctor/doctor.js';
import { type CliCommand, directCommand } from '../command.js';

/** A line for each finding, and below it what to do. */
function text({ findings, problems, warnings }: Diagnosis): Shown {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ level, check, message, advice }) => {
    const lead = `${level.padEnd('problem'.length)}  ${check.padEnd(width)}  `;
    return [
      { lead, note: message },
      ...(advice === undefined ? [] : [{ lead: ' '.repeat(lead.length), note: advice }]),
    ];
  });
  return [...lines, '', summary(problems, warnings)];
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function summary(problems: number, warnings: number): string {
  if (problems + warnings === 0) return 'No problems found.';
  return `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`;
}

export const doctorCommands: readonly CliCommand[] = [
  directCommand<Diagnosis>({
    words: ['doctor'],
    about: 'Diagnose the installation. Changes nothing.',
    direct: async (_typed, host) => (await host.upkeep()).doctor(),
    text,
    failed: ({ ok }) => !ok,
  }),
];
