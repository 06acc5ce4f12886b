/** Nodes over one protocol endpoint, each a process that can be killed, frozen and cut off from the others. */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { NodeInfo, NodeReply } from './fakeNode.js';

/** Time until a cluster stops naming a lost leader, and until it has a new one, in ms, as in real clusters. */
const NAMED_MS = 5_500;
const ELECTION_MS = 6_500;

export interface FakeNode {
  readonly address: string;
  /** Number of refused appends. */
  readonly refused: number;
  /** Number of calls for appends accepted so far. */
  readonly calls: number;
  /** Number of listeners or appenders that it has forgotten. */
  readonly forgotten: number;
  publish(reported: NodeInfo): void;
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
    child.on('message', (mentions: NodeReply) => {
      if ('address' in mentions) resolve(mentions.address);
      else if ('calls' in mentions) calls = mentions.calls;
      else if ('forgotten' in mentions) forgotten = mentions.forgotten;
      else refused = mentions.refused;
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
    publish: (reported) => void (child.connected && child.send(reported)),
    kill: () => void child.kill('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

export interface FakeCluster {
  /** The first node is the leader at the start. */
  readonly nodes: readonly [FakeNode, FakeNode, FakeNode];
  /** Addresses of all three nodes, as in a connection string. */
  readonly hosts: string;
  /** Plays the election after the first node is lost. Resolves when the others name the second node. */
  elect(): Promise<void>;
  close(): void;
}

/**
 * Starts three nodes whose log is the endpoint at `log`. `addressOf`: returns the address that clients use for a node.
 */
export async function fakeCluster(log: string, addressOf: (node: FakeNode) => Promise<string>): Promise<FakeCluster> {
  const nodes = await Promise.all([fakeNode(log), fakeNode(log), fakeNode(log)]);
  const [first, ...others] = nodes;
  const members: string[] = [];
  for (const node of nodes) members.push(await addressOf(node));
  first.publish({ role: 'leader', members, leader: members[0]! });
  for (const node of others) node.publish({ role: 'follower', members, leader: members[0]! });
  return {
    nodes,
    hosts: members.join(','),
    async elect() {
      await wait(NAMED_MS);
      for (const node of others) node.publish({ members: members.slice(1), leader: null });
      await wait(ELECTION_MS - NAMED_MS);
      for (const node of others) node.publish({ leader: members[1]! });
      others[0]!.publish({ role: 'leader' });
    },
    close() {
      for (const node of nodes) node.kill();
    },
  };
}
