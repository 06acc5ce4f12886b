import { anotherTenant, flood } from '../../test/support/flood.js';
import { steadily } from '../support/load.js';
import { atLeast, atMost, type Figure } from '../support/report.js';
import { mustBe, onStage } from '../support/stage.js';
import { placeOne } from './orders.js';

const PER_SECOND = 50;
const SECONDS = 20;
const CONNECTIONS = 6;

/**
 * One tenant sends the dearest bodies over six connections, up to the limit of its key as it is set by itself; another reads an
 * order 50 times a second meanwhile.
 */
export const oneTenant = (): Promise<Figure[]> =>
  onStage(
    async (stage) => {
      const path = await placeOne(stage);
      const tenant = await anotherTenant(stage.folder);
      const flooding = await flood({ ...tenant, baseUrl: stage.service.baseUrl, connections: CONNECTIONS });
      const waits: number[] = [];
      await steadily(PER_SECOND, SECONDS, async () => {
        const since = performance.now();
        const answer = await stage.call('GET', path);
        mustBe('getOrder', answer.status === 200, answer.text.slice(0, 300));
        waits.push(performance.now() - since);
      });
      const answered = await flooding.stop();
      waits.sort((a, b) => a - b);
      return [
        atMost('getOrder while another tenant floods, p99', waits[Math.floor(waits.length * 0.99)] ?? 0, 'ms', 100),
        atLeast('dear bodies that were refused meanwhile', answered[422] ?? 0, 'bodies', 100),
      ];
    },
    { env: { SUUQ_RATE_KEY: '6000' } },
  );
