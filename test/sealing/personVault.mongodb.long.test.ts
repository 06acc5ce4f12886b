import { emulator, onMongo, server, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { openDocumentVault } from '../../infrastructure/vault/documentVault.js';
import { personVaultContract } from '../contracts/personVault.js';

for (const place of [emulator, server])
  onMongo(place, 'the contract of the vault', () => {
    personVaultContract(`MongoDB, ${place.name}`, async () => {
      const database = await testDatabase(place);
      const store = await openMongoReadModels(database.url, { prefix: 'work' });
      return {
        vault: await openDocumentVault(store),
        reader: () => openDocumentVault(store),
        async close() {
          await store.close();
          await database.close();
        },
      };
    });
  });
