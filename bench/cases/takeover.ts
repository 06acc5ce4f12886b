import { type InstancesStage, instancesStage, noInstances, type Store } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { atMost, type Figure } from '../support/report.js';
import { until, within } from '../support/stage.js';

const ROUNDS = 3;
const PATIENCE_S = 30;
const NAMES = ['one', 'two'] as const;

/** A change through this instance; it is answered well only when every view of products has passed it. */
async function change({ baseUrl }: ServiceProcess, store: Store, price: number): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/v1/workspaces/${store.workspaceId}/commerce/products/T1`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${store.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Tea', imageUrls: ['https://cdn.example.com/tea.jpg'], priceCents: price }),
  }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok === true;
}

const bothOwn = async (stage: InstancesStage): Promise<boolean> => {
  const { projections } = (await stage.json('one', 'projections', 'status')) as { projections: { owner?: string }[] };
  return new Set(projections.map(({ owner }) => owner)).size >= NAMES.length;
};

/**
 * Two instances share the work; one is killed (-9). From the kill to the first change through the other whose views are
 * all there: the worst of several rounds.
 */
export async function takeover(): Promise<Figure[]> {
  if (noInstances !== undefined) {
    process.stderr.write(`takeover: not measured, ${noInstances}\n`);
    return [];
  }
  const stage = await instancesStage();
  try {
    const services = new Map<string, ServiceProcess>();
    for (const name of NAMES) services.set(name, await stage.start(name));
    const store = await stage.store('one');
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await until('both own some', PATIENCE_S, () => bothOwn(stage));
      const [dying, living] = round % 2 === 0 ? NAMES : ([...NAMES].reverse() as [string, string]);
      await until('changes are taken', PATIENCE_S, () => change(services.get(living)!, store, 100 + round));
      await services.get(dying)!.kill();
      const killed = performance.now();
      // In no time at all counts as that long.
      await within(PATIENCE_S, () => change(services.get(living)!, store, 200 + round));
      waits.push((performance.now() - killed) / 1000);
      services.set(dying, await stage.start(dying));
    }
    const title = `takeover of a killed instance's work, the worst of ${ROUNDS}`;
    return [atMost(title, Math.max(...waits), 's', 10)];
  } finally {
    await stage.close();
  }
}
