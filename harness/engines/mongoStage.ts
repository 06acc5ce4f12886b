/** MongoDB for tests: the emulator, a server by MONGODB_URL, or a container; each test has its own database. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Db, MongoClient } from 'mongodb';
import { emulatorAddress, noEmulator } from './mongoEmulator.js';

export interface MongoPlace {
  /** 'the emulator', 'the server of MONGODB_URL', 'a container'. */
  readonly name: string;
  readonly isEmulator: boolean;
  /** Why its tests cannot run here; undefined when they can. */
  readonly missing: string | undefined;
  /** May take minutes the first time: call it in a `before` with a long timeout. Resolves to a URL without a database. */
  start(): Promise<string>;
}

const IMAGE = 'mongo:7';

const hasDocker = (): boolean => Boolean(process.env.DOCKER_HOST) || existsSync('/var/run/docker.sock');

/** A replica set of one, as the service wants it. It ends with this process. */
async function startContainer(): Promise<string> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .start();
  const url = `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`;
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 20_000 });
  try {
    await client
      .db('admin')
      .command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] } });
    for (let tries = 0; tries < 100; tries++) {
      if ((await client.db('admin').command({ hello: 1 })).isWritablePrimary === true) return url;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the container of MongoDB did not become primary within 10 s');
  } finally {
    await client.close();
  }
}

let container: Promise<string> | undefined;

export const emulator: MongoPlace = {
  name: 'the emulator',
  isEmulator: true,
  missing: noEmulator(),
  start: async () => `mongodb://${await emulatorAddress()}/`,
};

/** A real server; the tests against it are pending where there is none. */
export const server: MongoPlace = process.env.MONGODB_URL
  ? {
      name: 'the server of MONGODB_URL',
      isEmulator: false,
      missing: undefined,
      start: async () => process.env.MONGODB_URL!,
    }
  : {
      name: 'a container',
      isEmulator: false,
      missing: hasDocker() ? undefined : 'no server: MONGODB_URL is not set and no Docker engine is here',
      async start() {
        container ??= startContainer();
        return container;
      },
    };

export interface TestDatabase {
  /** The URL of a database that nobody else uses. */
  readonly url: string;
  /** For looking at what the adapter wrote. */
  readonly db: Db;
  /** Drops it. */
  close(): Promise<void>;
}

/** `url` with another database. */
function withDatabase(url: string, database: string): string {
  const [, head, options] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url)!;
  return `${head}/${database}${options ?? ''}`;
}

export async function testDatabase(place: MongoPlace): Promise<TestDatabase> {
  const url = withDatabase(await place.start(), `suuq_test_${randomBytes(6).toString('hex')}`);
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  const db = client.db();
  return {
    url,
    db,
    async close() {
      // The emulator cannot drop a collection of which an index could not be built; it forgets all when it ends.
      if (place.isEmulator) await db.dropDatabase().catch(() => undefined);
      else await db.dropDatabase();
      await client.close();
    },
  };
}

/** A suite of one place; pending, saying why, where the place is missing. */
export function onMongo(place: MongoPlace, title: string, tests: (this: Mocha.Suite) => void): void {
  if (place.missing !== undefined) {
    it(`${title} (${place.missing})`);
    return;
  }
  describe(`${title} on ${place.name}`, function () {
    // Every call is a round trip, and the emulator reads whole collections.
    before(async function () {
      this.timeout(200_000);
      await place.start();
    });
    tests.call(this);
  });
}
