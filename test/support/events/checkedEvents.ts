/**
 * Loaded with every test (.mocharc.cjs) and into every service that a test starts: what a command appends has to be what its
 * event's schema says, with no field beside; else the command fails. With SUUQ_EVENTS_SEEN=FILE, the types that were
 * appended are added to the file.
 */
import { isMainThread } from 'node:worker_threads';
import { flags, guardFlags } from '../../../harness/service/checkedFlags.js';

// Of services that this process starts, and of no others: a bench measures what runs elsewhere, too.
flags.push('--import', import.meta.url, ...guardFlags);
// A service's other threads append nothing.
if (isMainThread) (await import('./checking.js')).checkWhatIsAppended();
