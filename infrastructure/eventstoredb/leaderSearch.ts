import type { ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { channelTo, dial, metadataOf, type Node, type Way, whyNot } from './dialling.js';
import { failureOf, Passing } from './failures.js';
import { Gossip, leaderOf, type Round } from './gossip.js';
import { type Address, addressesOf, FailedNodes, type Resolve } from './nodes.js';

const GOSSIP_SECONDS = 2;
const MOST_KNOWN = 20;

/**
 * Finds the node to work with. A single host is dialled, and names the other members once it is connected; if its name has several
 * addresses, they are tried one after the other. In a cluster all known nodes are queried at once for the leader. Every step takes at most
 * some seconds.
 */
export class LeaderSearch {
  readonly #way: Way;
  readonly #resolve: Resolve;
  readonly #hosts: ConnectionOptions['hosts'];
  readonly #discover: boolean;
  readonly #failed = new FailedNodes();
  readonly #gossip: Gossip;
  /** Addresses of the connection string, and those that its nodes have named. */
  #seeds: readonly Address[] = [];
  #members: readonly string[] = [];
  #isCluster: boolean;
  #leader: string | undefined;
  #isAlone = false;

  constructor(way: Way, { hosts, dnsDiscover, gossipTimeout = GOSSIP_SECONDS }: ConnectionOptions, resolve: Resolve) {
    this.#way = way;
    this.#resolve = resolve;
    this.#hosts = hosts;
    this.#discover = dnsDiscover === true;
    this.#isCluster = this.#discover || hosts.length > 1;
    const to = { open: (address: Address) => channelTo(address, way), metadata: () => metadataOf(way) };
    this.#gossip = new Gossip(to, this.#failed, gossipTimeout * 1_000);
  }

  /** True if there are nodes that know the leader. */
  get isCluster(): boolean {
    return this.#isCluster;
  }

  /** True if there may be another node than the connected one. */
  get hasChoice(): boolean {
    return this.#knowsOthers || this.#seeds.length > 1;
  }

  /** True if the connected node is known to have no replicas, so that its answers never lag behind another's. */
  get isAlone(): boolean {
    return this.#isAlone && !this.hasChoice;
  }

  /** Rejects with Passing, or StoreRefused when another try is in vain. */
  async open(): Promise<Node> {
    this.#isAlone = false;
    const named = this.#leader;
    this.#leader = undefined;
    if (named !== undefined) return this.#dial({ target: named });
    this.#seeds = await this.#resolved();
    if (this.#isCluster) return this.#dial(await this.#leading());
    try {
      return await this.#first();
    } catch (error) {
      if (error instanceof StoreRefused || !this.#knowsOthers) throw error;
      return this.#dial(await this.#leading());
    }
  }

  /** A node has been left: for the `leader` that was named, or because it failed. */
  left({ target }: Address, leader: string | undefined): void {
    this.#leader = leader;
    if (leader === undefined) this.#failed.add(target);
    else {
      // A node that names a leader is part of a cluster.
      this.#isCluster = true;
      this.#failed.forget(leader);
      this.#know([leader, target]);
    }
  }

  works({ target }: Address): void {
    this.#failed.forget(target);
  }

  /** The leader according to all nodes but one; undefined: none is named, or there are no other nodes. */
  async leaderOfOthers(but: Address): Promise<string | undefined> {
    if (!this.#knowsOthers) return undefined;
    const round = await this.#gossip.query(this.#known().filter(({ target }) => target !== but.target));
    this.#heed(round);
    return leaderOf(round, this.#failed);
  }

  close(): void {
    this.#gossip.close();
  }

  get #knowsOthers(): boolean {
    return this.#isCluster || this.#members.length > 1;
  }

  /** Stores the members that a working node names: when it freezes, only they can name the leader. */
  async #learn({ channel, address }: Node): Promise<void> {
    const { members, isAlone } = await this.#gossip.membersBy(channel, address);
    this.#isAlone = isAlone;
    if (members.length > 1) this.#know(members);
  }

  async #resolved(): Promise<readonly Address[]> {
    const [host] = this.#hosts;
    if (this.#discover || this.#hosts.length === 1) return addressesOf(host!, this.#resolve);
    return (await Promise.allSettled(this.#hosts.map((one) => addressesOf(one, this.#resolve)))).flatMap((found) =>
      found.status === 'fulfilled' ? found.value : [],
    );
  }

  #known(): readonly Address[] {
    const all = new Map(this.#members.map((target): [string, Address] => [target, { target }]));
    for (const seed of this.#seeds) all.set(seed.target, seed);
    return [...all.values()];
  }

  #know(targets: readonly string[]): void {
    this.#members = [...new Set([...targets, ...this.#members])].slice(0, MOST_KNOWN);
  }

  #heed({ answers }: Round): void {
    this.#know(answers.flatMap(({ members }) => members));
  }

  async #leading(): Promise<Address> {
    const round = await this.#gossip.query(this.#failed.last(this.#known()));
    this.#heed(round);
    const leader = leaderOf(round, this.#failed);
    if (leader !== undefined) return this.#known().find(({ target }) => target === leader) ?? { target: leader };
    if (round.answers.length > 0) throw new Passing('no node of the cluster reports a leader');
    throw await this.#worst(round);
  }

  /** When nobody answers: what will not pass, if that is what each of them fails by. */
  async #worst({ errors }: Round): Promise<Error> {
    const failures = await Promise.all(errors.map(({ address, error }) => whyNot(address, this.#way, error)));
    return failures.every((failure) => failure instanceof StoreRefused) && failures.length > 0
      ? failures[0]!
      : new Passing(failures.find((failure) => !(failure instanceof StoreRefused))?.message ?? 'no node is known');
  }

  async #first(): Promise<Node> {
    let failure: Error = new Passing('no node is known');
    for (const address of this.#failed.last(this.#seeds)) {
      try {
        const node = await this.#dial(address);
        void this.#learn(node).catch(() => undefined);
        return node;
      } catch (error) {
        failure = failureOf(error);
      }
    }
    throw failure;
  }

  async #dial(address: Address): Promise<Node> {
    try {
      return await dial(address, this.#way);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#failed.add(address.target);
      throw error;
    }
  }
}
