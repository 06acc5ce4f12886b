/** What tests of templates do over and over again. */
import { expect } from 'chai';
import type { Body, TemplateStage } from './templateStage.js';

/** Of a body alone. */
export const plain = (name: string, text = 'Hello there'): object => ({
  name,
  language: 'en',
  category: 'marketing',
  definition: { body: { text } },
});

/** Compares with the provider, and answers the list after that. */
export async function synced(stage: TemplateStage): Promise<Body> {
  await stage.quiet();
  await stage.clock.advance(1_000);
  const before = stage.clock.now();
  expect((await stage.call('POST', '/sync')).status).to.equal(202);
  return stage.listed(({ syncedAt, syncError }) => syncError !== undefined || Date.parse(syncedAt) >= before);
}

/** The template's events. */
export const typesOf = async (stage: TemplateStage, id: string): Promise<string[]> =>
  (await stage.events(`template-${id}`)).map(({ type }) => type);

/** Of a list, the one of this name. */
export const named = (list: Body, name: string): Body => list.templates.find((one: Body) => one.name === name);
