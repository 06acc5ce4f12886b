/** Durations are measured with the steady clock, because a wall clock may be set at any moment. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const FLOORS = ['domain', 'engine', 'projections', 'application', 'infrastructure', 'api', 'service', 'upkeep', 'cli'];

const files: readonly (readonly [name: string, text: string])[] = FLOORS.flatMap((floor) =>
  readdirSync(floor, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [`${floor}/${name}`, readFileSync(`${floor}/${name}`, 'utf8')] as const),
);

/** Matching lines of the selected files, with the file name. Comments are ignored. */
const having = (pattern: RegExp, isSelected: (name: string, text: string) => boolean): string[] =>
  files
    .filter(([name, text]) => isSelected(name, text))
    .flatMap(([name, text]) =>
      text
        .split('\n')
        .filter((line) => pattern.test(line) && !/^\s*(\/\/|\/?\*)/.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );

/** Files that read the date from the platform, each with the reason. */
const DATES: Readonly<Record<string, string>> = {
  'engine/ports/clock.ts': 'the port',
  'infrastructure/sqlite/eventStore/logWriter.ts': 'when a foreign event was stored',
  'infrastructure/eventstoredb/gossip.ts': 'deadlines of gRPC are dates',
  'infrastructure/eventstoredb/dialling.ts': 'deadlines of gRPC are dates',
  'infrastructure/eventstoredb/serverClock.ts': 'compares clocks',
  'infrastructure/eventstoreEndpoint/batchAppendCall.ts': 'deadlines of gRPC are dates',
  'infrastructure/eventstoreEndpoint/certificate.ts': 'validity of a certificate',
  'infrastructure/eventstoreEndpoint/serverInfo.ts': 'what the server tells',
  'infrastructure/files/folderFiles.ts': 'ages of files',
  'infrastructure/mongodb/examination.ts': 'compares clocks',
  'infrastructure/mongodb/layout.ts': 'expiry of a stored mark',
  'infrastructure/sandbox/templateApi.ts': 'a name',
  'infrastructure/webhooks/exchange.ts': 'Retry-After is a date',
};
/** Commands of an operator read the clock once. */
const isCommand = (name: string): boolean => /^(cli\/|service\/(admin|composition\/(serve|service)\.ts))/.test(name);

/** Files that compare stored times with the wall clock, each with the reason why setting the clock does no harm. */
const STORED: Readonly<Record<string, string>> = {
  'application/catalog/checkBatch.ts': 'gives up after a number of looks too',
  'application/payments/paymentsProcessor.ts': 'asks the provider first',
  'application/privacy/forgetting.ts': 'may be done twice',
  'application/privacy/retentionWalks.ts': 'waits until the clock is confirmed',
  'engine/clockEvidence.ts': 'compares clocks',
  'engine/processors/context.ts': 'tells a time of the steady clock by the clock as it is set now',
  'engine/processors/tasks/clockSteps.ts': 'notices a clock that was set back',
  'engine/projections/projectionBoard.ts': 'believes nothing from further ahead than it may be',
  'service/proofs/treeMaintainer.ts': 'signs more often or less',
  'service/composition/metrics/proofMetrics.ts': 'shown',
  'service/composition/readinessChecks.ts': 'since when a processor waits for a store is shown',
};

const usesSteadyOnly = (text: string): boolean => /\bSteadyClock\b/.test(text) && !/\bClock\b/.test(text);

describe('the clock', () => {
  it('is read only by the port and for dates', () => {
    expect(having(/\bDate\.now\(\)/, (name) => !(name in DATES) && !isCommand(name))).to.deep.equal([]);
  });

  it('sets no timer for a duration', () => {
    const timer = /(?<!steady)\.at\((Math\.\w+\()?[\w.#]*(?<!steady)\.now\(\)/;
    expect(having(timer, (_, text) => !usesSteadyOnly(text))).to.deep.equal([]);
  });

  it('measures no duration', () => {
    const difference = /lock\.now\(\) - |- [\w.#]*[cC]lock\.now\(\)/;
    const isSelected = (name: string, text: string): boolean => !(name in STORED) && !usesSteadyOnly(text);
    expect(having(difference, isSelected)).to.deep.equal([]);
  });

  it('has no unused name in these lists', () => {
    const names = new Set(files.map(([name]) => name));
    expect([...Object.keys(DATES), ...Object.keys(STORED)].filter((name) => !names.has(name))).to.deep.equal([]);
  });
});
