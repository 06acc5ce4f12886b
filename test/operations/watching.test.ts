/** Checks the alert rules and dashboards against the metrics of the service. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../../cli/run.js';
import {
  alertRules,
  dashboardFiles,
  expressionsOf,
  namesIn,
  operations,
  registeredNames,
} from '../support/tools/watching.js';

const runbook = readFileSync(join(operations, 'runbook.md'), 'utf8');
const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);

describe('alerts and dashboards', () => {
  it('use only existing metrics', async () => {
    const known = await registeredNames();
    const requested = [...alertRules.map(({ expr }) => expr), ...dashboardFiles.flatMap(expressionsOf)].flatMap(
      namesIn,
    );
    expect(requested).to.include('suuq_projection_stopped');
    expect([...new Set(requested)].filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('document each alert, and no others', () => {
    const names = alertRules.map(({ alert }) => alert);
    expect(sections).to.have.members(names);
    for (const { alert, annotations } of alertRules)
      expect(annotations.runbook).to.equal(`runbook.md#${alert.toLowerCase()}`);
  });

  it('have unique dashboard ids, and a place, a description and a source for each panel', () => {
    const uids = dashboardFiles.map(({ uid }) => uid);
    expect(new Set(uids).size).to.equal(readdirSync(join(operations, 'dashboards')).length);
    for (const { panels } of dashboardFiles) {
      const places = panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
      expect(new Set(places).size).to.equal(panels.length);
      for (const { description, datasource } of panels) {
        expect(description).to.match(/\.$/);
        expect(datasource.uid).to.equal(`$${'{datasource}'}`);
      }
    }
  });

  it('name existing commands', async () => {
    const commands = [...runbook.matchAll(/npx\s+suuq\s+([a-z]+(?:\s[a-z]+)*)/g)].map(([, words]) =>
      words!.split(/\s/),
    );
    expect(commands.length).to.be.above(5);
    for (const words of commands) {
      const reported: string[] = [];
      const never = () => Promise.reject(new Error('only help was asked for'));
      const status = await runCli(['help', ...words], {
        out: () => {},
        err: (text) => reported.push(text),
        watched: false,
        version: '0',
        withExecute: never,
        start: never,
        sandbox: never,
        move: never,
        settle: never,
        upkeep: never,
      });
      expect([words.join(' '), status, ...reported]).to.deep.equal([words.join(' '), 0]);
    }
  });
});
