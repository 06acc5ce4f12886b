/** A sealed log keeps what any event store promises. */
import { eventStoreContract } from '../contracts/eventStore.js';
import { personal, sealedLog } from './sealingStage.js';

/** Not `text`, of which the contract counts the bytes as they are appended. */
const all = personal('stream', { label: 'text', deep: 'text' });

eventStoreContract('sealed', async () => {
  const marked = new Map(['OrderPlaced', 'OrderStatusChanged', 'ProductRevised'].map((type) => [type, all] as const));
  let log = await sealedLog(marked);
  return {
    store: log.store,
    async reopen() {
      log = await log.reopen();
      return log.store;
    },
    close: () => log.close(),
  };
});
