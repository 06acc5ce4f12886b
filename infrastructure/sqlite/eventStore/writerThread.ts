/** The thread that writes events.db. */
import { parentPort, workerData } from 'node:worker_threads';
import { writeLog } from './writeLog.js';

writeLog(parentPort!, (workerData as { folder: string }).folder, (error) => {
  throw error;
});
