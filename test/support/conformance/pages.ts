/** Helpers for tests of list operations: rows, pages, and at least two rows in each list. */
import { expect } from 'chai';
import type { Operation } from '../../../api/contract/operation.js';
import { until } from '../doubles/fakeClock.js';
import type { Body } from './answers.js';
import { oneMoreRow } from './samples.js';
import type { ConformanceStage, RequestChoice, Store } from './stage.js';

export const isList = ({ query }: Operation): boolean => query !== undefined && 'cursor' in query;

/** Identity of a row. Its other fields may change during a test: a product's push continues. */
const identityOf = (row: Body): string => row.id ?? row.workspaceId ?? row.externalId ?? JSON.stringify(row);

export interface RowsOfPage {
  readonly rows: readonly string[];
  readonly next: string | undefined;
}

export function rowsOf(body: Body): RowsOfPage {
  const [rows] = Object.values(body).filter(Array.isArray);
  return { rows: (rows as Body[]).map(identityOf), next: body.next };
}

export async function pageOf(
  stage: ConformanceStage,
  list: Operation,
  requested: RequestChoice,
  store?: Store,
): Promise<RowsOfPage> {
  const { status, text, body } = await stage.call(list, requested, store);
  expect(status, text).to.equal(200);
  return rowsOf(body);
}

/** Makes sure that a list has at least two rows. */
export async function twoRows(stage: ConformanceStage, list: Operation, params: Record<string, string>): Promise<void> {
  const count = async (): Promise<number> => (await pageOf(stage, list, { params })).rows.length;
  for (const _ of [1, 2]) await stage.order();
  for (const _ of [1, 2]) if ((await count()) < 2) await oneMoreRow(stage, list, params);
  await until('there are two rows', async () => (await count()) >= 2);
}
