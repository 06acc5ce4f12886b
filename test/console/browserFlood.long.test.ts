/** The event explorer in Chromium while far more happens than anybody reads, and with an event as large as there may be. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { EventData } from '../../engine/ports/eventStore.js';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleStage, SHOP } from '../support/stages/consoleStage.js';

const AT_ONCE = 100;
const EVERY_MS = 50;
const TURNS = 40;
/** As large as one append may be, less its other fields. */
const LARGE = 1_000_000;

describe('the event explorer under load', function () {
  this.timeout(120_000);
  const pages = consolePages(
    openConsoleStage,
    async (stage) => `${stage.consoleUrl}/enter#${(await stage.link({ role: 'operator' })).token}`,
  );
  let count = 0;
  const event = (text: string, laterMs = 0): EventData => ({
    id: `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    type: 'FloodSeen',
    data: { number: count, text },
    meta: {
      at: new Date(pages.seen.clock.now() + laterMs).toISOString(),
      actor: { type: 'system' },
      correlationId: 'flood',
      workspaceId: SHOP,
    },
  });

  it('shows a sample of 2,000 events a second, counts the hidden ones, and keeps memory small', async () => {
    const { page, context } = await pages.signedIn();
    const { eventStore, consoleUrl } = pages.seen;
    await page.goto(`${consoleUrl}/events`);
    await page.getByText('Live', { exact: true }).waitFor();
    for (let turn = 0; turn < TURNS; turn++) {
      const events = Array.from({ length: AT_ONCE }, () => event('<img src=x onerror=alert(1)> حمدي'));
      await eventStore.append(`flood-${turn}`, 'any', events);
      await pause(EVERY_MS);
    }
    // What came last is among what is shown.
    await page.getByText(`"number":${count},`).first().waitFor();
    const text = await page.getByText(/[\d,]+ not shown: too many at once/).textContent();
    const left = Number(/[\d,]+(?= not shown)/.exec(text!)![0].replaceAll(',', ''));
    // As many as a burst and 60 a second are shown, for as long as it lasted.
    expect(left).to.be.within(TURNS * AT_ONCE * 0.5, TURNS * AT_ONCE - 50);
    expect(await page.locator('.virtual .row').count()).to.be.below(100);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await context.close();
  });

  it('reports how many events were missed during an interruption, and shows them', async () => {
    const { page, context } = await pages.signedIn();
    const { eventStore, consoleUrl } = pages.seen;
    await page.goto(`${consoleUrl}/events?correlation=flood`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    const before = count;
    const passed = Array.from({ length: 300 }, (_, i) => event('meanwhile', 60_000 + i));
    await eventStore.append('flood-missed', 'any', passed);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/^250 events missed during the interruption/).waitFor();
    await page
      .getByText(`"number":${before + 300},`)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Show them' }).click();
    await page.getByText('Past events').waitFor();
    const newest = page.getByRole('row', { name: 'FloodSeen' }).first();
    await newest.getByText(`"number":${before + 250},`).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('from'), searchParams.get('correlation')]).to.deep.equal([passed[0]!.meta.at, 'flood']);
    expect(await page.getByText(/missed during the interruption/).count()).to.equal(0);
    await context.close();
  });

  it('shows the beginning of a 1 MB event, and its size', async () => {
    const { page, context } = await pages.signedIn();
    const { eventStore, consoleUrl } = pages.seen;
    const { position } = await eventStore.append('flood-large', 'any', [event('x'.repeat(LARGE))]);
    await page.goto(`${consoleUrl}/events/${position}`);
    await page.getByText(/the data has 1,000,\d{3} bytes/).waitFor();
    const shown = (await page.locator('pre').first().textContent())!.length;
    expect(shown).to.be.within(200_000, 300_000);
    await page.goto(`${consoleUrl}/events?stream=flood-large`);
    await page.getByText('FloodSeen').first().waitFor();
    await context.close();
  });
});
