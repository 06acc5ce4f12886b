/**
 * Loaded with every test (.mocharc.cjs) and into every service that a test starts. A command fails if it appends events
 * that do not match their schema or have extra fields. With SUUQ_EVENTS_SEEN=FILE, the appended types are added to the
 * file.
 */
import { isMainThread } from 'node:worker_threads';
import { flags, guardFlags } from '../../../harness/service/checkedFlags.js';

// Only for services that this process starts: a bench also measures services that run elsewhere.
flags.push('--import', import.meta.url, ...guardFlags);
// Other threads of a service append nothing.
if (isMainThread) (await import('./checking.js')).checkWhatIsAppended();
