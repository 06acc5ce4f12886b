/**
 * Guides as programs: each block of code under a line such as "`api/operations/index.ts`:" is that file, and one under
 * "`api/operations/index.ts`, after `...catalogOperations,`:" goes into it, after that line.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Step {
  readonly file: string;
  /** The line after which the code goes; undefined: it is the whole file. */
  readonly after: string | undefined;
  readonly code: string;
}

const STEP = /^`([^`\n]+)`(?:, after `([^`\n]+)`)?:\n\n(?:<!--[^\n]*-->\n\n)?```ts\n([\s\S]*?)^```$/gm;
const BLOCK = /^```ts$/gm;

/** The steps of a guide, in their order. Throws when a block of code says of no file that it belongs there. */
export function stepsOf(page: string): Step[] {
  const steps = [...page.matchAll(STEP)].map(([, file, after, code]) => ({ file: file!, after, code: code! }));
  const blocks = page.match(BLOCK)?.length ?? 0;
  if (steps.length !== blocks) throw new Error(`${blocks - steps.length} blocks of code name no file`);
  return steps;
}

/** Does to the project in `root` what the step says; a new file must be new, and the line stand in its file once. */
export function follow(root: string, { file, after, code }: Step): void {
  const path = join(root, file);
  if (after === undefined) {
    if (existsSync(path)) throw new Error(`${file} is there already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return;
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  const places = lines.flatMap((line, at) => (line.trim() === after ? [at] : []));
  if (places.length !== 1) throw new Error(`${file} has ${places.length} lines '${after}'`);
  lines.splice(places[0]! + 1, 0, code.trimEnd());
  writeFileSync(path, lines.join('\n'));
}
