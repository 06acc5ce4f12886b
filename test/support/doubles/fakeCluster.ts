/** Nodes over one protocol endpoint, each a process, that can be killed, frozen and cut off from each other. */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Tells, Told } from './fakeNode.js';

/** How long a cluster goes on naming a leader that is gone, and then needs for a new one, in ms, as real ones do. */
const NAMED_MS = 5_500;
const ELECTION_MS = 6_500;

export interface FakeNode {
  readonly address: string;
  /** Appends that it has turned away. */
  readonly refused: number;
  /** Calls on which appends come, taken so far. */
  readonly calls: number;
  /** Whom it has forgotten of those who listened or appended. */
  readonly forgotten: number;
  tell(told: Told): void;
  kill(): void;
  freeze(): void;
  thaw(): void;
}

export async function fakeNode(log: string, host = '127.0.0.1', port = 0): Promise<FakeNode> {
  const script = new URL('./fakeNode.js', import.meta.url);
  const child: ChildProcess = fork(script, [log, host, String(port)]);
  let refused = 0;
  let calls = 0;
  let forgotten = 0;
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('a fake node did not start')));
    child.on('message', (tells: Tells) => {
      if ('address' in tells) resolve(tells.address);
      else if ('calls' in tells) calls = tells.calls;
      else if ('forgotten' in tells) forgotten = tells.forgotten;
      else refused = tells.refused;
    });
  });
  return {
    address,
    get refused() {
      return refused;
    },
    get calls() {
      return calls;
    },
    get forgotten() {
      return forgotten;
    },
    tell: (told) => void (child.connected && child.send(told)),
    kill: () => void child.kill('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

export interface FakeCluster {
  /** The first leads at the beginning. */
  readonly nodes: readonly [FakeNode, FakeNode, FakeNode];
  /** All three, as in a connection string. */
  readonly hosts: string;
  /** What the other two do after the first is lost to them: they name it for a while, then the second. Resolves then. */
  elect(): Promise<void>;
  close(): void;
}

/** Three nodes whose log is the endpoint at `log`. `addresses`: by which they are known, where not by their own. */
export async function fakeCluster(log: string, addressOf: (node: FakeNode) => Promise<string>): Promise<FakeCluster> {
  const nodes = await Promise.all([fakeNode(log), fakeNode(log), fakeNode(log)]);
  const [first, ...others] = nodes;
  const members: string[] = [];
  for (const node of nodes) members.push(await addressOf(node));
  first.tell({ role: 'leader', members, leader: members[0]! });
  for (const node of others) node.tell({ role: 'follower', members, leader: members[0]! });
  return {
    nodes,
    hosts: members.join(','),
    async elect() {
      await wait(NAMED_MS);
      for (const node of others) node.tell({ members: members.slice(1), leader: null });
      await wait(ELECTION_MS - NAMED_MS);
      for (const node of others) node.tell({ leader: members[1]! });
      others[0]!.tell({ role: 'leader' });
    },
    close() {
      for (const node of nodes) node.kill();
    },
  };
}
