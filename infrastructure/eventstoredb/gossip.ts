/** Finds the leader: all nodes are queried at once, and a node that failed recently is not waited for. */
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Channel, Metadata } from '@grpc/grpc-js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type Address, type FailedNodes, targetOf } from './nodes.js';

const { GossipClient } = gossipService;
const { LEADER } = gossipMessages.MemberInfo.VNodeState;

/** After all others have answered, one that failed gets this much longer, in ms. */
const FAILED_WAIT_MS = 300;
/** Maximum number of members read from one answer. */
const MOST_MEMBERS = 20;

/** Answer of one node. */
export interface NodeAnswer {
  readonly from: string;
  /** Target of the one that it holds for the leader. */
  readonly leader: string | undefined;
  readonly members: readonly string[];
}

/** The result of a round: the answers, and why the other nodes did not answer. */
export interface Round {
  readonly answers: readonly NodeAnswer[];
  /** Targets that have not answered in this round. */
  readonly silent: ReadonlySet<string>;
  readonly errors: readonly { readonly address: Address; readonly error: Error }[];
}

interface Way {
  open(address: Address): Channel;
  metadata(): Metadata;
}

export class Gossip {
  readonly #way: Way;
  readonly #failed: FailedNodes;
  readonly #timeoutMs: number;
  readonly #channels = new Map<string, Channel>();
  #closed = false;

  /** `timeoutMs`: the longest wait for one node. */
  constructor(way: Way, failed: FailedNodes, timeoutMs: number) {
    this.#way = way;
    this.#failed = failed;
    this.#timeoutMs = timeoutMs;
  }

  /** Queries all nodes. Ends when a majority names a leader that answers itself, when all have answered, or with the timeout. */
  query(addresses: readonly Address[]): Promise<Round> {
    return new Promise((resolve) => {
      const answers: NodeAnswer[] = [];
      const errors: { address: Address; error: Error }[] = [];
      const open = new Set(addresses.map(({ target }) => target));
      let late: NodeJS.Timeout | undefined;
      const settle = (): void => {
        clearTimeout(late);
        const silent = new Set(addresses.map(({ target }) => target));
        for (const { from } of answers) silent.delete(from);
        resolve({ answers: [...answers], silent, errors: [...errors] });
      };
      const visit = (target: string): void => {
        open.delete(target);
        if (open.size === 0 || isClear(answers, addresses, this.#failed)) settle();
        else if ([...open].every((one) => this.#failed.has(one))) late ??= setTimeout(settle, FAILED_WAIT_MS);
      };
      if (open.size === 0) settle();
      for (const address of addresses)
        this.#queryOne(address)
          .then(
            (answer) => void answers.push(answer),
            (error: Error) => void errors.push({ address, error }),
          )
          .then(() => visit(address.target));
    });
  }

  /** Returns the members that the node of an open channel names. `isAlone`: it is the only one, and leads. */
  async membersBy(
    channel: Channel,
    { target }: Address,
  ): Promise<{ readonly members: readonly string[]; readonly isAlone: boolean }> {
    const { members, leader } = await this.#read(channel, target);
    return { members, isAlone: members.length === 1 && leader === members[0] };
  }

  close(): void {
    this.#closed = true;
    for (const target of [...this.#channels.keys()]) this.#drop(target);
  }

  #queryOne(address: Address): Promise<NodeAnswer> {
    const { target } = address;
    if (this.#closed) return Promise.reject(new StoreUnavailable('the event store is closed'));
    let channel = this.#channels.get(target);
    if (channel === undefined) {
      channel = this.#way.open(address);
      this.#channels.set(target, channel);
    }
    return this.#read(channel, target).catch((error: Error) => {
      // The next round opens a new channel: a channel that hangs does not recover by itself.
      this.#drop(target);
      throw error;
    });
  }

  #read(channel: Channel, target: string): Promise<NodeAnswer> {
    const client = new GossipClient('', undefined as never, { channelOverride: channel });
    const deadline = Date.now() + this.#timeoutMs;
    return new Promise((resolve, reject) => {
      client.read(new shared.Empty(), this.#way.metadata(), { deadline }, (error, info) =>
        error === null ? resolve(readAnswer(target, info!)) : reject(error),
      );
    });
  }

  #drop(target: string): void {
    this.#channels.get(target)?.close();
    this.#channels.delete(target);
  }
}

function readAnswer(from: string, info: ClusterInfo): NodeAnswer {
  const members: string[] = [];
  let leader: string | undefined;
  for (const member of info.getMembersList().slice(0, MOST_MEMBERS)) {
    const at = member.getHttpEndPoint();
    if (at === undefined) continue;
    const target = targetOf(at.getAddress(), at.getPort());
    members.push(target);
    if (member.getIsAlive() && member.getState() === LEADER) leader = target;
  }
  return { from, leader, members };
}

const votes = (answers: readonly NodeAnswer[]): Map<string, number> => {
  const count = new Map<string, number>();
  for (const { leader } of answers) if (leader !== undefined) count.set(leader, (count.get(leader) ?? 0) + 1);
  return count;
};

/** The node that more than half of the members name. */
function majorityOf(answers: readonly NodeAnswer[]): string | undefined {
  const members = Math.max(...answers.map((one) => one.members.length));
  return [...votes(answers)].find(([, count]) => count > Math.max(members / 2, 1))?.[0];
}

/** True if no further answer can change the leader: the majority's leader has answered, or is not queried under that name. */
function isClear(answers: readonly NodeAnswer[], requested: readonly Address[], failed: FailedNodes): boolean {
  const leader = majorityOf(answers);
  if (leader === undefined) return false;
  if (answers.some(({ from }) => from === leader)) return true;
  return !failed.has(leader) && !requested.some(({ target }) => target === leader);
}

/**
 * The leader that most name. One that is silent in this round does not count: nodes go on naming a leader that is dead or
 * frozen for up to 10 s. One that failed lately counts when the majority names it, or nobody names another, and it has
 * answered itself. A node that is cut off names itself.
 */
export function leaderOf(
  { answers, silent }: Pick<Round, 'answers' | 'silent'>,
  failed: FailedNodes,
): string | undefined {
  const heard = (target: string): boolean => answers.some(({ from }) => from === target);
  const candidates = [...votes(answers)].filter(([target]) => !silent.has(target));
  const majority = majorityOf(answers);
  if (majority !== undefined && heard(majority)) return majority;
  const ranked = candidates.sort(
    ([a, m], [b, n]) =>
      Number(failed.has(a)) - Number(failed.has(b)) || n - m || Number(isOwn(answers, a)) - Number(isOwn(answers, b)),
  );
  const best = ranked[0]?.[0];
  return best === undefined || !failed.has(best) || heard(best) ? best : undefined;
}

/** True if the node names itself as the leader. */
const isOwn = (answers: readonly NodeAnswer[], target: string): boolean =>
  answers.some(({ from, leader }) => from === target && leader === target);
