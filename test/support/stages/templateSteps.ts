/** Common steps of tests of templates. */
import { expect } from 'chai';
import type { Body, TemplateStage } from './templateStage.js';

/** Returns a template with only a body. */
export const plain = (name: string, text = 'Hello there'): object => ({
  name,
  language: 'en',
  category: 'marketing',
  definition: { body: { text } },
});

/** Syncs with the provider and returns the list after that. */
export async function synced(stage: TemplateStage): Promise<Body> {
  await stage.quiet();
  await stage.clock.advance(1_000);
  const before = stage.clock.now();
  expect((await stage.call('POST', '/sync')).status).to.equal(202);
  return stage.listed(({ syncedAt, syncError }) => syncError !== undefined || Date.parse(syncedAt) >= before);
}

/** Returns the types of the template's events. */
export const typesOf = async (stage: TemplateStage, id: string): Promise<string[]> =>
  (await stage.events(`template-${id}`)).map(({ type }) => type);

/** Returns the template with this name from a list. */
export const named = (list: Body, name: string): Body => list.templates.find((one: Body) => one.name === name);
