/** Checks the Kubernetes manifests against the service: settings, ports, paths, users and times. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { PLACE as publishedPlace } from '../../api/operations/proofs/publishedProofs.js';
import { machineRoutes } from '../../api/server/machineRoutes.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { SETTINGS } from '../../service/settings/settingNames.js';
import { readSettings } from '../../service/settings/settings.js';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as the cluster reads them
type Manifest = any;

const folder = join(projectFolder, 'deploy/kubernetes');
const textOf = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
const manifestsIn = (name: string): Manifest[] =>
  readdirSync(join(folder, name))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(textOf(name, file)).map((document) => document.toJS()));

const base = manifestsIn('base');
const of = (kind: string, name = ''): Manifest =>
  base.find((one) => one.kind === kind && one.metadata.name.endsWith(name));
const pod = of('Deployment').spec.template;
const container = pod.spec.containers[0];
const config: Record<string, string> = of('ConfigMap').data;
const fromSecrets: Manifest[] = container.env.filter((one: Manifest) => one.valueFrom.secretKeyRef !== undefined);
const example = parse(textOf('example', 'kustomization.yaml'));
const patched: Record<string, string> = parse(example.patches[0].patch).data;
const ports = new Map<string, number>(container.ports.map((one: Manifest) => [one.name, one.containerPort]));

/** Environment of the pods, with placeholder secrets. */
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  NODE_ENV: 'production',
  ...config,
  ...more,
  SUUQ_INSTANCE: 'suuq-6d5f7c9b8-abcde',
  EVENTSTORE_URL: 'esdb://suuq:password@events.engines:2113?tlsCAFile=/certs/ca.crt',
  MONGODB_URL: 'mongodb://suuq:password@documents.engines:27017/suuq?replicaSet=rs0',
  SUUQ_CHANNEL_TOKEN: 'token',
  SUUQ_CHANNEL_APP_SECRET: 'secret',
  SUUQ_CHANNEL_VERIFY_TOKEN: 'verify',
  SUUQ_MASTER_KEY_FILE: '',
  SUUQ_MASTER_KEY: '0'.repeat(64),
});

describe('the manifests for Kubernetes', () => {
  it('use only existing settings, each once, and secrets by the names of their settings', () => {
    const given = [...Object.keys(config), ...container.env.map(({ name }: Manifest) => name)];
    // The AWS SDK reads the last two (docs/operating/settings.md, SUUQ_FILES_REGION).
    const known = [...SETTINGS, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
    expect(given.filter((name) => !known.includes(name))).to.deep.equal([]);
    expect(new Set(given).size).to.equal(given.length);
    expect(Object.keys(patched).filter((name) => !SETTINGS.includes(name))).to.deep.equal([]);
    for (const { name, valueFrom } of fromSecrets) expect(valueFrom.secretKeyRef.key).to.equal(name);
    expect(container.envFrom).to.deep.equal([{ configMapRef: { name: of('ConfigMap').metadata.name } }]);
  });

  it('contain settings that start a service with several instances', () => {
    for (const settings of [readSettings(environment()), readSettings(environment(patched))]) {
      expect(settings).to.include({ sandbox: false, data: '/data', port: ports.get('public') });
      expect(settings.consolePort).to.equal(ports.get('private'));
      expect(settings.files).to.have.property('bucket');
      expect(settings.mongoUrl).to.be.a('string');
      expect(settings.eventStoreUrl).to.be.a('string');
    }
    expect(readSettings(environment(patched)).tracing?.sampler).to.deep.equal({ name: 'traceidratio', ratio: 0.05 });
  });

  it('contain no secret, not even a placeholder', () => {
    expect(base.map(({ kind }) => kind)).not.to.include('Secret');
    const names = ['EVENTSTORE_URL', 'MONGODB_URL', 'SUUQ_CHANNEL_TOKEN', 'SUUQ_CHANNEL_APP_SECRET', 'SUUQ_MASTER_KEY'];
    for (const name of names) expect([config[name], patched[name]]).to.deep.equal([undefined, undefined]);
    expect(fromSecrets.map(({ name }) => name)).to.include.members(names.slice(0, 4));
    const volumes = Object.fromEntries(pod.spec.volumes.map((one: Manifest) => [one.name, one]));
    const key = container.volumeMounts.find(({ name }: Manifest) => volumes[name].secret?.secretName === 'suuq-key');
    expect(config.SUUQ_MASTER_KEY_FILE).to.match(new RegExp(`^${key.mountPath}/`));
  });

  it('probe existing paths, on the internal port', () => {
    const routes = machineRoutes({
      document: () => expect.fail('not asked for'),
      lifecycle: { phase: 'ready' },
      metrics: {} as never,
      checks: [],
    }).map(({ path }) => path);
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    for (const { httpGet } of probes) {
      expect(routes).to.include(httpGet.path);
      expect(httpGet.port).to.equal('private');
    }
    expect(container.readinessProbe.httpGet.path).to.equal('/readyz');
    // An unavailable engine must not restart the pod.
    expect(container.livenessProbe.httpGet.path).to.equal('/healthz');
    const { annotations } = pod.metadata;
    expect(routes).to.include(annotations['prometheus.io/path']);
    expect(Number(annotations['prometheus.io/port'])).to.equal(ports.get('private'));
    // A start waits a minute for its engines.
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).to.be.greaterThan(60);
  });

  it('expose the console to nobody outside', () => {
    const services = base.filter(({ kind }) => kind === 'Service');
    const led = services.map(({ metadata, spec }) => [
      metadata.name,
      spec.ports.map(({ targetPort }: Manifest) => targetPort),
    ]);
    expect(Object.fromEntries(led)).to.deep.equal({ suuq: ['public'], 'suuq-private': ['private'] });
    const rules = of('NetworkPolicy').spec.ingress;
    const toPrivate = rules.filter(({ ports: [{ port }] }: Manifest) => port === 'private');
    expect(toPrivate.flatMap(({ from }: Manifest) => from)).to.deep.equal([
      { namespaceSelector: { matchLabels: { 'suuq.example/role': 'monitoring' } } },
    ]);
    const ingress = parse(textOf('example', 'ingress.yaml'));
    const paths = ingress.spec.rules[0].http.paths;
    for (const { backend } of paths) expect(backend.service).to.deep.equal({ name: 'suuq', port: { name: 'http' } });
    for (const retained of ['/console', '/readyz', '/metrics', '/'])
      expect(paths.filter(({ path }: Manifest) => retained.startsWith(path))).to.deep.equal([]);
  });

  it('route from outside to everything public, and to nothing else', () => {
    const listed = /^- Public: (.+?)\.\s+Keep/m.exec(
      readFileSync(join(projectFolder, 'docs/operating/production.md'), 'utf8'),
    )![1]!;
    const ingress = parse(textOf('example', 'ingress.yaml'));
    const paths: string[] = ingress.spec.rules[0].http.paths.map(({ path }: Manifest) => path);
    expect(paths).to.have.members(listed.split(', ').map((path) => path.slice(1, -1)));
    expect(paths).to.include(publishedPlace);
  });

  it('select the pods of the service by label, and the others by name', () => {
    const { labels } = parse(textOf('base', 'kustomization.yaml'));
    const own = { matchLabels: labels[0].pairs };
    expect(labels[0].includeSelectors).to.equal(true);
    expect(of('PodDisruptionBudget').spec.selector).to.deep.equal(own);
    const { podSelector, egress, ingress } = of('NetworkPolicy').spec;
    expect(podSelector).to.deep.equal(own);
    const peers: Manifest[] = [
      ...egress.flatMap(({ to }: Manifest) => to),
      ...ingress.flatMap(({ from }: Manifest) => from),
    ];
    // kustomize adds the service's label to peers selected by matchLabels.
    expect(peers.filter((peer) => peer.podSelector?.matchLabels !== undefined)).to.deep.equal([]);
    const names = egress.find(({ ports: [{ port }] }: Manifest) => port === 53);
    expect(names.to[0].podSelector.matchExpressions).to.deep.equal([
      { key: 'k8s-app', operator: 'In', values: ['kube-dns'] },
    ]);
  });

  it('allow time for shutdown, and only the necessary permissions and writable paths', () => {
    const [, seconds] = container.lifecycle.preStop.exec.command;
    const stopping = /Give it (\d+) s before you kill it/.exec(
      readFileSync(join(projectFolder, 'docs/operating/production.md'), 'utf8'),
    );
    expect(pod.spec.terminationGracePeriodSeconds).to.be.at.least(Number(seconds) + Number(stopping![1]));
    expect(container.securityContext).to.deep.include({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    });
    const dockerfile = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8');
    expect(dockerfile).to.include(`SUUQ_DATA=${config.SUUQ_DATA}`);
    const mounts: Manifest[] = container.volumeMounts;
    expect(mounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath)).to.have.members([
      config.SUUQ_DATA,
      '/tmp',
    ]);
    const { requests, limits } = container.resources;
    expect(Object.keys(requests)).to.have.members(Object.keys(limits));
    expect(of('PodDisruptionBudget').spec.maxUnavailable).to.be.below(of('Deployment').spec.replicas);
  });

  it('match this release, and are complete', () => {
    const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
    expect(container.image).to.equal(`suuq:${version}`);
    expect(example.images[0].newTag).to.equal(version);
    for (const name of ['base', 'example']) {
      const { resources } = parse(textOf(name, 'kustomization.yaml'));
      const files = readdirSync(join(folder, name)).filter((file) => file !== 'kustomization.yaml');
      expect(resources.filter((one: string) => one !== '../base')).to.have.members(files);
    }
  });
});
