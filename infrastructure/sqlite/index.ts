/** The embedded engines: an event store and documents in files of one folder. */
export { type EmbeddedEventStore, openEmbeddedEventStore } from './eventStore/embeddedEventStore.js';
export { openEmbeddedReadModels } from './readModels/embeddedReadModels.js';
