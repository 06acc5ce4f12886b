import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, unbundled } from './bundledPlaces.js';

/** One function under its callers, with the samples that it and what it called were seen in. */
export interface Frame {
  readonly name: string;
  samples: number;
  readonly children: Map<string, Frame>;
}

/** CPU profile of one thread of the service. */
export interface ThreadProfile {
  /** `main`, or the name of the file that the thread began with. */
  readonly name: string;
  readonly pid: number;
  /** Only where it worked: idle samples are left out. */
  readonly root: Frame;
  /** The share of the whole time in which it worked, 0 to 1. */
  readonly busy: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Place;
  readonly children?: readonly number[];
}

interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** µs of the machine's steady clock. */
  readonly startTime: number;
  /** µs from each sample's predecessor, from the start for the first. */
  readonly timeDeltas: readonly number[];
}

const NOT_WORK: ReadonlySet<string> = new Set(['(idle)', '(program)']);
const FILE_NAME = /^CPU\.\d+\.\d+\.(\d+)\.\d+\.\d+\.cpuprofile$/;
const THREAD_FILE = /\/dist\/(?:.*[/.])?([A-Za-z]+Thread)\.js$/;

const short = (url: string): string =>
  url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/dist\//, '')
    .replace(/\.js$/, '');

/** A function with its file, as a reader of the sources looks for it: no line, since what runs is compiled. */
function named({ callFrame: { functionName, url } }: ProfileNode): string {
  const name = functionName === '' ? 'anonymous' : functionName;
  return url === '' ? name : `${name} (${short(url)})`;
}

const empty = (name: string): Frame => ({ name, samples: 0, children: new Map() });

function child(of: Frame, name: string): Frame {
  const known = of.children.get(name);
  if (known !== undefined) return known;
  const made = empty(name);
  of.children.set(name, made);
  return made;
}

/** The callers of each node, the outermost first, the node itself last. */
function pathsOf(nodes: readonly ProfileNode[]): Map<number, readonly ProfileNode[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const paths = new Map<number, readonly ProfileNode[]>();
  const open: { node: ProfileNode; above: readonly ProfileNode[] }[] = nodes
    .slice(0, 1)
    .map((node) => ({ node, above: [] }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = next.node.callFrame.functionName === '(root)' ? next.above : [...next.above, next.node];
    paths.set(next.node.id, path);
    for (const id of next.node.children ?? []) {
      const below = byId.get(id);
      if (below !== undefined) open.push({ node: below, above: path });
    }
  }
  return paths;
}

/** The samples since a moment, by the node that they were taken in. */
function counted({ samples, startTime, timeDeltas }: CpuProfile, since: number): Map<number, number> {
  const counts = new Map<number, number>();
  let at = startTime;
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i] ?? 0;
    if (at >= since) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Adds up the samples of a profile by call path; `since` in µs of the steady clock: what was before is not counted. */
export function folded(profile: CpuProfile, name: string, pid = 0, since = 0): ThreadProfile {
  const paths = pathsOf(profile.nodes);
  const counts = counted(profile, since);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const root = empty(name);
  for (const [id, count] of counts) {
    const path = paths.get(id) ?? [];
    if (path.length === 0 || NOT_WORK.has(path[0]!.callFrame.functionName)) continue;
    root.samples += count;
    let at = root;
    for (const node of path) {
      at = child(at, named(node));
      at.samples += count;
    }
  }
  return { name, pid, root, busy: all === 0 ? 0 : root.samples / all };
}

const threadOf = ({ nodes }: CpuProfile): string =>
  nodes.map(({ callFrame }) => THREAD_FILE.exec(callFrame.url)?.[1]).find((name) => name !== undefined) ?? 'main';

/**
 * Every thread whose profile `node --cpu-prof` wrote into a folder, the busiest first; `since`, by process: what was
 * before, a start, is not counted.
 */
export function threadProfiles(folder: string, since: ReadonlyMap<number, number>): ThreadProfile[] {
  const placeOf = unbundled();
  return readdirSync(folder)
    .flatMap((file) => {
      const pid = FILE_NAME.exec(file)?.[1];
      if (pid === undefined) return [];
      const written = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
      const nodes = written.nodes.map((node) => ({ ...node, callFrame: placeOf(node.callFrame) }));
      const profile = { ...written, nodes };
      return [folded(profile, threadOf(profile), Number(pid), since.get(Number(pid)))];
    })
    .sort((a, b) => b.root.samples - a.root.samples);
}
