/**
 * Replica set on the wire. Its members are proxies before one emulator and respond as members do. One of them is the
 * primary, or none during an election. A former primary continues with its old data and confirms nothing.
 */
import { MongoClient, ObjectId, Timestamp } from 'mongodb';
import { type FaultyProxy, faultyProxy, type Verdict } from '../../../harness/engines/faultyProxy.js';
import { mongoMessages } from '../../../harness/engines/wireMessages.js';
import { type Command, type Fields, onCommands, refusal } from './mongoWire.js';

const NOT_PRIMARY = refusal(10107, 'not primary', { errorLabels: ['RetryableWriteError'] });
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'dropIndexes', 'drop']);
const HELLOS = new Set(['hello', 'isMaster', 'ismaster']);

export interface FakeReplicaSet {
  /** Addresses of all members, without a database. */
  readonly hosts: string;
  readonly members: readonly FaultyProxy[];
  /** Commands that the primary has received so far. */
  readonly commands: Command[];
  /** Makes the primary step down: its connections break, and no member is primary. */
  stepDown(): void;
  /** Makes this member primary with a new term. */
  elect(member: number): void;
  /**
   * Cuts this member, the primary, off from the others without its noticing. It answers reads from the current state of
   * `database` and never confirms writes. Another member may be elected.
   */
  cutOff(member: number, database: string): Promise<void>;
  close(): Promise<void>;
}

/** State of a member when it was cut off. */
interface Former {
  readonly term: number;
  readonly moment: number;
  readonly database: string;
}

/** Copies all collections of a database into another. */
async function copied(address: string, from: string, to: string): Promise<void> {
  const client = new MongoClient(`mongodb://${address}/`);
  for (const { name } of await client.db(from).listCollections().toArray()) {
    const documents = await client.db(from).collection(name).find().toArray();
    if (documents.length > 0) await client.db(to).collection(name).insertMany(documents);
  }
  await client.close();
}

/** `address`: address of the emulator. */
export async function fakeReplicaSet(address: string, size = 3): Promise<FakeReplicaSet> {
  const members = await Promise.all(Array.from({ length: size }, () => faultyProxy(address, mongoMessages)));
  const hosts = members.map((member) => member.address);
  const commands: Command[] = [];
  let primary: number | undefined = 0;
  let term = 1;
  let written = 1;
  const former = new Map<number, Former>();
  const at = (moment: number) => new Timestamp({ t: 1_700_000_000, i: moment });

  const roleOf = (own: number): Fields => {
    const isPrimary = own === primary || former.has(own);
    const known = isPrimary ? hosts[own] : primary === undefined ? undefined : hosts[primary];
    return {
      ...{ setName: 'rs0', setVersion: 1, hosts, me: hosts[own], logicalSessionTimeoutMinutes: 30 },
      ...{ ismaster: isPrimary, isWritablePrimary: isPrimary, secondary: !isPrimary },
      ...(known !== undefined && { primary: known }),
      ...(isPrimary && {
        electionId: new ObjectId((former.get(own)?.term ?? term).toString(16).padStart(24, '0')),
      }),
    };
  };

  /** Loses writes and reads of newer data, which a member that is cut off can never answer. */
  const formerly = ({ name, body }: Command, { moment, database }: Former): Verdict | { passOn: Fields } => {
    const requested = body.readConcern?.afterClusterTime as Timestamp | undefined;
    if (WRITES.has(name) || requested?.greaterThan(at(moment))) return 'lose';
    return { passOn: { ...body, $db: database } };
  };

  for (const [own, proxy] of members.entries())
    onCommands(
      proxy,
      (command) => {
        if (HELLOS.has(command.name) || command.name === 'ping') return undefined;
        const before = former.get(own);
        if (before !== undefined) return formerly(command, before);
        if (own !== primary) return NOT_PRIMARY;
        commands.push(command);
        if (WRITES.has(command.name)) written++;
        return undefined;
      },
      ({ name }, answer) => {
        if (HELLOS.has(name)) return { ...answer, ...roleOf(own) };
        const moment = at(former.get(own)?.moment ?? written);
        return { ...answer, operationTime: moment };
      },
    );

  return {
    hosts: hosts.join(','),
    members,
    commands,
    stepDown() {
      const before = primary;
      primary = undefined;
      if (before !== undefined) members[before]!.cut();
    },
    elect(member) {
      primary = member;
      former.delete(member);
      term++;
    },
    async cutOff(member, database) {
      const copy = `${database}_former${member}`;
      await copied(address, database, copy);
      former.set(member, { term, moment: written, database: copy });
      if (primary === member) primary = undefined;
    },
    async close() {
      await Promise.all(members.map((member) => member.close()));
    },
  };
}
