/** Reads `docs/operating/monitoring/` as Prometheus and Grafana do, and the names of all metrics. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { createMetrics } from '../../../api/http/metrics.js';
import { silentLog } from '../../../engine/ports/log.js';
import { projectFolder } from '../../../harness/service/serviceProcess.js';
import { serviceMetrics } from '../../../service/composition/metrics/metrics.js';
import { proofGauges } from '../../../service/composition/metrics/proofMetrics.js';
import { buildInfo, saturationMetrics } from '../../../service/composition/metrics/saturationMetrics.js';
import { webhookMetrics } from '../../../service/composition/metrics/webhookMetrics.js';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly title: string;
    readonly description: string;
    readonly datasource: { readonly uid: string };
    readonly gridPos: { readonly x: number; readonly y: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

export const operations = join(projectFolder, 'docs/operating/monitoring');
const dashboards = join(operations, 'dashboards');

export const alertRules = (
  parse(readFileSync(join(operations, 'alerts.yml'), 'utf8')) as { groups: { rules: AlertRule[] }[] }
).groups.flatMap(({ rules }) => rules);

export const dashboardFiles: readonly Dashboard[] = readdirSync(dashboards).map((file) =>
  JSON.parse(readFileSync(join(dashboards, file), 'utf8')),
);

/** Returns the expressions with Grafana's variables filled in. */
export const expressionsOf = ({ panels }: Dashboard): string[] =>
  panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')),
  );

export const namesIn = (expression: string): string[] => expression.match(/\b(?:suuq|nodejs|process)_\w+\b/g) ?? [];

/** Returns the names of all metrics that the service exports on either engine, with the series of histograms. */
export async function registeredNames(): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const unit of ['events', 'bytes'] as const) {
    const { registry, scraped } = createMetrics();
    addAll(registry, unit);
    for (const [, name, type] of (await scraped()).text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      names.add(name!);
      if (type === 'histogram') for (const part of ['bucket', 'count', 'sum']) names.add(`${name}_${part}`);
    }
  }
  return names;
}

function addAll(registry: Registry, unit: 'events' | 'bytes'): void {
  const eventStore = { head: async () => 0, measure: { unit, positions: 1 } };
  const nothing = async () => [];
  const watched = { projections: { status: nothing }, engines: nothing, storedBytes: async () => 0, folders: {} };
  serviceMetrics(registry, { ...watched, eventStore }).watch({ status: () => [] });
  webhookMetrics(registry, silentLog);
  const engine = { name: 'SQLite, events.db' };
  buildInfo(registry, '0', { engines: { events: engine, documents: engine } as never });
  const work = { list: async () => [] } as never;
  const state = () => ({ events: 0, position: 0, checkedAt: 0, unsignedSince: undefined });
  proofGauges(registry, { maintainer: { state }, eventStore, clock: { now: () => 0 } });
  saturationMetrics(registry, { work, clock: { now: () => 0 }, waiting: () => 0 });
}
