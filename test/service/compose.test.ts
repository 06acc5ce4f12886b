import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { readSandboxSettings } from '../../service/settings/sandboxSettings.js';
import { readSettings, SettingsError } from '../../service/settings/settings.js';

interface ComposeService {
  readonly image?: string;
  readonly container_name?: string;
  readonly network_mode?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string>>[] } };
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, string>>;
  }[];
}

/** Title of the contract suite for a server given by URL. */
const ofUrl = 'EventStoreDB at EVENTSTORE_URL';

const text = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
};
const servers = parse(text('test/servers/compose.yml'), { merge: true }) as typeof compose;
const services = Object.entries(compose.services);
const named = (name: string): ComposeService => compose.services[name]!;
const isSuuq = ({ build }: ComposeService): boolean => build !== undefined;
/** Services that keep running, unlike one-off steps. */
const lasting = services.filter(([, { restart }]) => restart !== 'no');

/** Environment variables that the image sets. */
const OF_IMAGE = Object.fromEntries(
  /^ENV (.+)$/m
    .exec(text('Dockerfile'))![1]!
    .split(' ')
    .map((one) => one.split('=') as [string, string]),
);

/** Variable that compose fills in from .env. `:?` marks it as required. */
const VARIABLE = /\$\{(\w+)(?::\?[^}]*)?\}/g;
const filledIn = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replace(VARIABLE, 'secretpart')]));

/** Returns the environment with the image's defaults. The key file is in a volume, so a literal key replaces it. */
const environmentOf = (name: string): Record<string, string> => {
  const { SUUQ_MASTER_KEY_FILE, ...rest } = filledIn(named(name).environment ?? {});
  return { ...OF_IMAGE, ...rest, ...(SUUQ_MASTER_KEY_FILE && { SUUQ_MASTER_KEY: '0'.repeat(64) }) };
};

describe('docker-compose.yml', () => {
  it('starts one EventStoreDB, a MongoDB and the service by default, and optionally a cluster', () => {
    const without = lasting.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
    expect(without.sort()).to.deep.equal(['eventstore', 'mongodb', 'service']);
    const cluster = lasting.filter(([, { profiles }]) => profiles?.includes('cluster')).map(([name]) => name);
    expect(cluster.sort()).to.deep.equal([
      'eventstore-1',
      'eventstore-2',
      'eventstore-3',
      'sandbox',
      'service-1',
      'service-2',
    ]);
    const watch = lasting.filter(([, { profiles }]) => profiles?.includes('watch')).map(([name]) => name);
    expect(watch.sort()).to.deep.equal(['grafana', 'prometheus']);
  });

  it('sets only valid settings of the service', () => {
    const guide = text('docs/operating/settings.md');
    for (const name of ['service', 'service-1', 'service-2']) {
      const settings = readSettings(environmentOf(name));
      expect(settings.eventStoreUrl, name).to.match(/^esdb:/);
      expect(settings.mongoUrl, name).to.include('replicaSet=rs0');
      expect(settings.instance).to.equal(name);
    }
    expect(readSandboxSettings(environmentOf('sandbox')).token).to.equal(
      readSettings(environmentOf('service-1')).channel?.token,
    );
    for (const [name, service] of services.filter(([, one]) => isSuuq(one)))
      for (const setting of Object.keys(service.environment ?? {}))
        expect(guide, `${setting} of ${name} is in the guide`).to.include(`\`${setting}\``);
  });

  it('protects the engines with passwords', () => {
    for (const [, name] of text('docker-compose.yml').matchAll(VARIABLE))
      expect(text('docker-compose.yml'), `${name} is required`).to.include(`\${${name}:?`);
    for (const [name, { image = '', environment = {} }] of lasting)
      if (image.startsWith('eventstore/')) {
        expect(environment, name).to.include.keys('EVENTSTORE_CERTIFICATE_FILE', 'EVENTSTORE_DEFAULT_ADMIN_PASSWORD');
        expect(environment, name).not.to.have.property('EVENTSTORE_INSECURE');
      }
    expect(named('mongodb').environment).to.have.property('MONGO_INITDB_ROOT_PASSWORD');
    expect(named('mongodb').command?.join()).to.include('--keyFile');
    for (const name of ['service', 'service-1', 'service-2']) {
      const { EVENTSTORE_URL, MONGODB_URL } = environmentOf(name);
      expect(EVENTSTORE_URL, name)
        .to.match(/^esdb:\/\/\w+:secretpart@.*tlsCAFile=/)
        .and.not.include('tls=false');
      expect(MONGODB_URL, name).to.match(/^mongodb:\/\/suuq:secretpart@/);
    }
  });

  it('gives containers only the necessary privileges, and limits their resources', () => {
    for (const [name, service] of services) {
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      expect(service.security_opt, name).to.include('no-new-privileges:true');
      expect([service.cap_add, service.privileged], name).to.deep.equal([undefined, undefined]);
      if (isSuuq(service)) expect(service.read_only, name).to.equal(true);
    }
    for (const [name, { mem_limit, pids_limit }] of lasting) {
      expect(mem_limit, name).to.match(/^\d+g$/);
      expect(pids_limit, name).to.be.within(100, 1024);
    }
  });

  it('passes the append limit of EventStoreDB to the service', () => {
    const taken = named('eventstore').environment?.EVENTSTORE_MAX_APPEND_SIZE;
    for (const name of ['service', 'service-1', 'service-2', 'eventstore-1', 'eventstore-2', 'eventstore-3'])
      expect(named(name).environment?.EVENTSTORE_MAX_APPEND_SIZE, name).to.equal(taken);
  });

  it('publishes the console next to the service, on the port of the image', () => {
    for (const name of ['service', 'service-1', 'service-2'])
      expect(
        named(name).ports?.some((port) => port.endsWith(`:${OF_IMAGE.SUUQ_CONSOLE_PORT}`)),
        name,
      ).to.equal(true);
    expect(text('Dockerfile')).to.match(/HEALTHCHECK[\s\S]*SUUQ_CONSOLE_PORT \+ '\/readyz'/);
  });

  it('publishes every port on this machine only', () => {
    for (const [name, { ports = [] }] of services)
      for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:\d+:\d+$/);
    const published = services.flatMap(([, { ports = [] }]) => ports.map((port) => port.split(':')[1]));
    expect(new Set(published).size).to.equal(published.length);
  });

  it('keeps data in volumes, restarts containers, and checks their health', () => {
    const image = text('Dockerfile');
    for (const [name, service] of lasting) {
      expect(service.restart, name).to.equal('unless-stopped');
      expect(service.volumes?.length, name).to.be.greaterThan(0);
      for (const [from, , mode] of (service.volumes ?? []).map((volume) => volume.split(':')))
        if (from!.startsWith('./'))
          expect([mode, existsSync(join(projectFolder, from!))], from).to.deep.equal(['ro', true]);
        else expect(compose.volumes, name).to.have.property(from!);
      expect(service.healthcheck?.test ?? (isSuuq(service) && /^HEALTHCHECK /m.test(image)), name).to.be.ok;
    }
  });

  it('waits for the dependencies of a service', () => {
    for (const [name, { depends_on = {} }] of services)
      for (const other of Object.keys(depends_on)) {
        expect(compose.services, name).to.have.property(other);
        const { profiles = [] } = named(other);
        expect(named(name).profiles ?? [], `${name} may need ${other}`).to.include.members([...profiles]);
      }
    expect(named('service').depends_on).to.have.keys('key', 'mongodb-replica-set', 'eventstore');
  });
});

describe('the workflow', () => {
  const { jobs } = parse(text('.github/workflows/check.yml')) as { jobs: Record<string, Job> };

  it('runs the tests on three nodes of every supported engine', () => {
    const { strategy, env } = jobs.servers!;
    const { include } = strategy!.matrix;
    const versions = (engine: string) => include.map((one) => /:(\d+\.\d+)/.exec(one[engine]!)![1]);
    expect(versions('eventstore')).to.deep.equal(['23.10', '24.10', '25.1']);
    expect(versions('mongodb')).to.deep.equal(['6.0', '7.0', '8.0']);
    expect(env).to.include({ EVENTSTORE_IMAGE: `\${{ matrix.eventstore }}`, MONGODB_IMAGE: `\${{ matrix.mongodb }}` });
    for (const [kind, url] of [
      ['eventstore', env!.EVENTSTORE_URL!],
      ['mongodb', env!.MONGODB_URL!],
    ] as const) {
      const nodes = Object.entries(servers.services).filter(([name]) => name.startsWith(`${kind}-`));
      const ports = [...url.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
      // The leader is killed by container name, which contains its port.
      expect(nodes.map(([, { container_name }]) => container_name)).to.deep.equal(
        ports.map((port) => `suuq-${kind}-${port}`),
      );
      expect(ports, kind).to.have.length(3);
      for (const [i, [name, node]] of nodes.entries()) {
        expect(node.command!.join(' '), name).to.match(new RegExp(`port[= ]${ports[i]}\\b`));
        for (const option of node.command!)
          expect(option, `${name} listens here alone`).not.to.match(/0\.0\.0\.0|_all/);
        expect(node.image, name).to.equal(`\${${kind.toUpperCase()}_IMAGE:?${node.image!.split(':?')[1]}`);
        expect([node.network_mode, node.cap_drop], name).to.deep.equal(['host', ['ALL']]);
      }
    }
  });

  it('kills the leader of each engine while its contract suite runs', () => {
    const runs = jobs.servers!.steps.map(({ run }) => run);
    const order = [
      'docker compose -f test/servers/compose.yml up -d',
      'npm ci',
      'node dist/test/servers/main.js ready',
      'npx mocha',
      'node dist/test/servers/main.js eventstore',
      'node dist/test/servers/main.js mongodb',
    ];
    expect(runs.filter((run) => order.includes(run ?? ''))).to.deep.equal(order);
    // The test servers select the suites by title.
    const main = text('test/servers/main.ts');
    const title = (name: string) => new RegExp(`${name}: \\{[^}]*title: '([^']+)'`).exec(main)![1]!;
    expect(title('eventstore')).to.equal(`event store: ${ofUrl}`);
    expect(text('test/support/protocol/realEventStoreDb.ts')).to.include(`title: '${ofUrl}'`);
    expect(title('mongodb')).to.equal('MongoDB, the server of MONGODB_URL');
    expect(text('harness/engines/mongoStage.ts')).to.include("name: 'the server of MONGODB_URL'");
  });

  it('checks dependencies for known vulnerabilities, and lists them', () => {
    const steps = jobs.parts!.steps;
    expect(steps.map(({ run }) => run)).to.include.members(['npm audit --omit=dev --audit-level=high']);
    const listed = steps.find(({ run }) => run?.startsWith('npm sbom '))!.run!;
    const retained = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'))!;
    expect(listed).to.include('--omit=dev').and.include(`> ${retained.with!.path}`);
  });
});

describe('Dockerfile', () => {
  it('refuses to start without the channel unless the sandbox is explicitly enabled', () => {
    expect(OF_IMAGE).to.include({ NODE_ENV: 'production', HOST: '0.0.0.0' });
    expect(() => readSettings(OF_IMAGE)).to.throw(SettingsError, /^SUUQ_CHANNEL_URL/);
  });

  it('builds in one stage and runs in another, as an unprivileged user', () => {
    const lines = text('Dockerfile').split('\n');
    expect(lines.filter((line) => line.startsWith('FROM '))).to.have.length(2);
    const last = lines.slice(lines.lastIndexOf(lines.findLast((line) => line.startsWith('FROM '))!));
    expect(last).to.include('USER node');
    expect(last.indexOf('USER node')).to.be.below(last.findIndex((line) => line.startsWith('ENTRYPOINT ')));
  });

  it('contains everything that is compiled, and nothing else', () => {
    const given = text('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(text('Dockerfile')).to.match(/tsc -p tsconfig\.json .*&& npm run --silent build:pages/);
    const { include } = JSON.parse(text('tsconfig.json')) as { include: string[] };
    const product = include.filter((folder) => !['examples', 'harness', 'test', 'bench'].includes(folder));
    expect(given).to.include.members(product.map((folder) => `!${folder}`));
    expect(given).to.include.members(['!tsconfig.pages.json', '!scripts']);
    expect(given).not.to.include.members(['!data']);
  });
});
