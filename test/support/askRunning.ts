/** Commands of a service that runs beside the test, given from the test's own process: a process for each takes a second of a processor. */
import { executeRunning } from '../../service/cli/executing.js';
import { runCli } from '../../service/cli/run.js';
import { commandOf } from '../../service/cli/words.js';

const elsewhere = (): never => {
  throw new Error('this command wants a process of its own');
};

/**
 * What the command line answers with `--json` over the data folder of a service that runs. Undefined where the command is none that a service
 * answers, or none runs: it is for a process of its own. Rejects with what stands in stderr when the command fails.
 */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes, looked into by tests
export async function askRunning(data: string, words: readonly string[]): Promise<any> {
  const declared = commandOf(words);
  if (declared === undefined || 'direct' in declared) return undefined;
  let [stdout, stderr] = ['', ''];
  const execute = executeRunning(data);
  const status = await runCli([...words, '--json'], {
    out(text) {
      stdout += text;
    },
    err(text) {
      stderr += text;
    },
    watched: false,
    version: 'test',
    inService: execute,
    withExecute: (work) => work(execute),
    start: elsewhere,
    sandbox: elsewhere,
    move: elsewhere,
    settle: elsewhere,
    upkeep: elsewhere,
  });
  if (status === 0) return JSON.parse(stdout);
  if (stderr.includes('not_running') || stderr.includes('No service runs on')) return undefined;
  throw new Error(`suuq ${words.join(' ')} ended with ${status}: ${stderr}`);
}
