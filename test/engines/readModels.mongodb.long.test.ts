import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { readModelsContract } from '../contracts/readModels.js';
import { emulator, onMongo, server, testDatabase } from '../support/mongoStage.js';

for (const place of [emulator, server])
  onMongo(place, 'the read model contract', () => {
    readModelsContract(`MongoDB, ${place.name}`, async () => {
      const database = await testDatabase(place);
      const models = await openMongoReadModels(database.url, { prefix: 'views' });
      return {
        models,
        another: () => openMongoReadModels(database.url, { prefix: 'views' }),
        ...(place.isEmulator && { textOrder: 'utf-16' }),
        async close() {
          await models.close();
          await database.close();
        },
      };
    });
  });
