/** Checks the Prometheus rules, dashboards and settings with Prometheus, if it is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { until } from '../support/tools/until.js';
import { alertRules, dashboardFiles, expressionsOf, operations } from '../support/tools/watching.js';
import { alertSamples } from './alertSamples.js';

const hasPrometheus = ['promtool', 'prometheus'].every((name) => spawnSync(name, ['--version']).status === 0);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', timeout: 30_000 });
  return status === 0 ? 'right' : stdout + stderr;
}

describe('Prometheus rules and dashboards', () => {
  const folder = temporaryFolder('suuq-prometheus-');
  let service: ServiceProcess | undefined;
  let prometheus: ChildProcess | undefined;

  before(function () {
    if (!hasPrometheus) {
      this.test!.title = 'needs prometheus and promtool, which are not installed';
      this.skip();
    }
  });
  after(async () => {
    if (prometheus?.exitCode === null) {
      prometheus.kill('SIGKILL');
      await once(prometheus, 'exit');
    }
    await service?.kill();
    folder.remove();
  });

  it('pass the check of promtool', () => {
    expect(promtool('check', 'config', join(operations, 'prometheus.yml'))).to.equal('right');
    expect(promtool('check', 'rules', join(operations, 'alerts.yml'))).to.equal('right');
  });

  it('fire each alert when they should, and none for a healthy service', () => {
    expect(alertSamples.map(({ alert }) => alert)).to.have.members(alertRules.map(({ alert }) => alert));
    const firing = (alert: string, is: boolean, after: string) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
      eval_time: after,
      exp_samples: is ? [{ labels: '{}', value: 1 }] : [],
    });
    const notify = (series: readonly string[]) =>
      series.map((one) => {
        const place = one.lastIndexOf(' ');
        return { series: one.slice(0, place), values: one.slice(place + 1) };
      });
    const tests = alertSamples.flatMap(({ alert, fires, healthy, after }) =>
      [fires, healthy].map((series) => ({
        name: alert,
        interval: '30s',
        input_series: notify(series),
        promql_expr_test: [firing(alert, series === fires, after)],
      })),
    );
    const file = join(folder.path, 'alerts.test.yml');
    writeFileSync(file, stringify({ rule_files: [join(operations, 'alerts.yml')], evaluation_interval: '30s', tests }));
    expect(promtool('test', 'rules', file)).to.equal('right');
  });

  it("show a running service's metrics in every panel with data", async () => {
    service = await startService(join(folder.path, 'data'));
    await fetch(`${service.baseUrl}/api/v1/workspaces`);
    const port = await freePort();
    const { host } = new URL(service.baseUrl);
    const config = join(folder.path, 'prometheus.yml');
    const ours = parse(readFileSync(join(operations, 'prometheus.yml'), 'utf8'));
    ours.scrape_configs[0] = { job_name: 'suuq', static_configs: [{ targets: [host] }] };
    ours.global = { scrape_interval: '1s', evaluation_interval: '1s' };
    ours.rule_files = [join(operations, 'alerts.yml')];
    writeFileSync(config, stringify(ours));
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder.path, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    const request = async (query: string) => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
      return (await (await fetch(url)).json()) as { status: string; error?: string; data: { result: unknown[] } };
    };
    await until(
      'two scrapes',
      async () => {
        const { data } = await request('rate(process_cpu_seconds_total{job="suuq"}[1m])').catch(() => ({
          data: { result: [] },
        }));
        return data.result.length > 0;
      },
      30_000,
    );

    const empty: string[] = [];
    for (const expression of dashboardFiles.flatMap(expressionsOf)) {
      const { status, error, data } = await request(expression);
      expect([expression, status, error]).to.deep.equal([expression, 'success', undefined]);
      if (data.result.length === 0) empty.push(expression);
    }
    // These metrics are empty without garbage collection, deliveries, lag and remote engines.
    const quiet = /_gc_|webhook|channel|_lag|_bytes\[|task_seconds|_shards|overdue/;
    expect(empty.filter((expression) => !quiet.test(expression))).to.deep.equal([]);
    const alerts = await request('ALERTS{alertstate="firing"}');
    expect(alerts.data.result).to.deep.equal([]);
  });
});
