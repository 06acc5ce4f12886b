/** A program next to the service: reads the history with `suuq/streams`, and follows what comes for a second. */
import { openStreams } from '../../upkeep/streams/index.js';

const streams = await openStreams();
let past = 0;
for await (const _ of streams.events$({ live: false })) past += 1;
let orders = 0;
for await (const _ of streams.orders$({ live: false })) orders += 1;
const following = streams.events$({ after: await streams.head() }).subscribe(() => {});
await new Promise((resolve) => setTimeout(resolve, 1_000));
following.unsubscribe();
await streams.close();
process.stdout.write(`${JSON.stringify({ past, orders })}\n`);
