import { anotherTenant, type FloodOptions, flood } from '../../harness/load/flood.js';
import { steadily } from '../support/load.js';
import { atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, onStage, type Stage } from '../support/stage.js';
import { placeOne } from './orders.js';

const PER_SECOND = 50;
const SECONDS = 20;
const CONNECTIONS = 6;

/** ms that each getOrder took meanwhile. */
async function waitsDuring(stage: Stage, path: string, options: FloodOptions): Promise<number[]> {
  const flooding = await flood(options);
  const waits: number[] = [];
  await steadily(PER_SECOND, SECONDS, async () => {
    const since = performance.now();
    const answer = await stage.call('GET', path);
    mustBe('getOrder', answer.status === 200, answer.text.slice(0, 300));
    waits.push(performance.now() - since);
  });
  const answered = await flooding.stop();
  mustBe('the flood was answered', (answered[options.bodies === 'good' ? 200 : 422] ?? 0) > 0, answered);
  return waits;
}

/**
 * One tenant sends the dearest bodies over six connections, up to the limit of its key as it is set by itself; another reads an
 * order 50 times a second meanwhile.
 */
export const oneTenant = (): Promise<Figure[]> =>
  onStage(
    async (stage) => {
      const path = await placeOne(stage);
      const common = {
        ...(await anotherTenant(stage.folder)),
        baseUrl: stage.service.baseUrl,
        connections: CONNECTIONS,
      };
      const figures: Figure[] = [];
      for (const [name, bodies] of [
        ['bodies that are refused', 'refused'],
        ['the largest that are good', 'good'],
      ] as const) {
        const waits = await waitsDuring(stage, path, { ...common, bodies });
        const { p99 } = spread(waits);
        figures.push(atMost(`getOrder while another tenant floods with ${name}, p99`, p99, 'ms', 100));
      }
      return figures;
    },
    { env: { SUUQ_RATE_KEY: '6000' } },
  );
