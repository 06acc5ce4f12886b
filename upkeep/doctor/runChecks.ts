/** Runs checks concurrently, each with its own time limit. */
import { messageOf } from '../../engine/messageOf.js';
import { maskSecrets } from '../../service/secretMask.js';
import { CHECKS, type Check, type Finding, type Found, problem } from './finding.js';

/** Default time limit of a check, in ms. */
const WITHIN_MS = 5_000;

/** Maximum time limit of any check, in ms. */
const MOST_MS = 15_000;

async function outcome({ name, withinMs = WITHIN_MS, run }: Check): Promise<readonly Finding[]> {
  const within = Math.min(withinMs, MOST_MS);
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Found[]>((resolve) => {
    timer = setTimeout(() => {
      over.abort();
      resolve([
        problem(
          'no_answer',
          `The check of the ${name} did not finish within ${within / 1000} s.`,
          'Check whether the machine, its disk or its network is overloaded or down, and retry.',
        ),
      ]);
    }, within);
  });
  const found = await Promise.race([
    Promise.resolve()
      .then(() => run(over.signal))
      .catch(failed),
    late,
  ]);
  clearTimeout(timer);
  over.abort();
  return found.map((one) => ({ check: name, ...one, message: maskSecrets(one.message) }));
}

/** Unexpected errors become findings, since the other checks have findings too. */
const failed = (error: unknown): readonly Found[] => [
  problem('check_failed', `This check failed: ${messageOf(error)}.`, 'Fix the cause and retry.'),
];

/** All findings in the order of CHECKS. Ends within some 15 s. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const findings = (await Promise.all(checks.map(outcome))).flat();
  return findings.sort((a, b) => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check));
}
