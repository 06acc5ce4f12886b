/** Contract tests of the simulated engines, so that a simulation finds only behaviour that the ports allow. */
import { eventStoreContract } from '../contracts/eventStore.js';
import { readModelsContract } from '../contracts/readModels.js';
import { DocumentState, type WritingBy } from './engines/documentState.js';
import { documentStore } from './engines/documentStore.js';
import { eventLog } from './engines/eventLog.js';
import { logState } from './engines/logState.js';
import type { Wire } from './world/wire.js';

/** Wire without faults, in real time. */
const fine: Wire = {
  async call({ run, parts = [] }) {
    await undefined;
    for (const part of parts) part();
    return run();
  },
  notify: (_, run) => void setImmediate(run),
};

eventStoreContract('simulated', async () => {
  const state = logState();
  return {
    store: eventLog(state, fine),
    reopen: async () => eventLog(state, fine),
    close: async () => undefined,
  };
});

for (const by of ['steps', 'transactions'] as WritingBy[])
  readModelsContract(`simulated, by ${by}`, async () => {
    const state = new DocumentState(by);
    return {
      models: documentStore(state, fine),
      another: async () => documentStore(state, fine),
      close: async () => undefined,
    };
  });
