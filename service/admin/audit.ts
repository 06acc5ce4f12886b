/** `suuq audit`: what shows others that the history is as it was, for who checks it without the service. */
import type { ProofBundle } from '../../application/proofs/proofBundles.js';
import { streamName } from '../../engine/ports/eventStore.js';
import type { SignedHead } from '../../engine/proofs/treeHead.js';
import { type AdminCommand, adminCommand, adminQuery, type Option } from './declaration.js';
import { idArgument } from './historyOptions.js';
import { argument } from './options.js';
import { facts } from './text.js';

/** As one line of JSON, the very bytes that the verifier reads. */
const line = (bundle: object): string => JSON.stringify(bundle);

const size = (name: string): Option<number> => ({
  argument: name,
  required: true,
  send: (typed) => Number(typed),
  check(fields, field) {
    const value = fields.value(field);
    if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
    fields.problem(field, 'must be the number of events of a signed head', value);
    return 0;
  },
});

const headText = ({ size: events, rootHash, time, keyId }: SignedHead) =>
  facts({ events: events.toLocaleString('en'), root: rootHash, signed: time, key: keyId });

export const auditCommands: readonly AdminCommand[] = [
  adminQuery({
    name: 'audit.order',
    words: ['audit', 'order'],
    about: "Print an order's events with proofs, for the separate verifier.",
    options: { id: idArgument },
    run: ({ proofs }, { id }): Promise<ProofBundle> => proofs.bundle(streamName('order', id.toLowerCase())),
    text: line,
  }),
  adminQuery({
    name: 'audit.stream',
    words: ['audit', 'stream'],
    about: "Print a stream's events with proofs, such as catalog-ID.",
    options: { name: argument('name', { required: true }) },
    run: ({ proofs }, { name }): Promise<ProofBundle> => proofs.bundle(name),
    text: line,
  }),
  adminQuery({
    name: 'audit.consistency',
    words: ['audit', 'consistency'],
    about: 'Print the proof that a later signed head extends an earlier one.',
    options: { from: size('from'), to: size('to') },
    run: ({ proofs }, { from, to }) => proofs.consistency(from, to),
    text: line,
  }),
  adminQuery({
    name: 'audit.head',
    words: ['audit', 'head'],
    about: 'Sign a head of the log as it is now, for others to store.',
    run: ({ proofs }) => proofs.sign(),
    text: headText,
  }),
  adminQuery({
    name: 'audit.keys',
    words: ['audit', 'keys'],
    about: 'List the public keys of signed heads.',
    run: async ({ proofs }) => ({ keys: await proofs.publicKeys() }),
    list: 'keys',
    text: ({ keys }) => ({
      head: ['KEY', 'PUBLIC KEY', 'CREATED', 'RETIRED'],
      rows: keys.map((one) => [one.keyId, one.publicKey, one.createdAt, one.retiredAt]),
      none: 'No head has been signed yet.',
    }),
  }),
  adminQuery({
    name: 'audit.moves',
    words: ['audit', 'moves'],
    about: 'Show the signed statements of moves that sealed personal data.',
    run: async ({ proofs }) => ({ moves: await proofs.statements() }),
    list: 'moves',
    text: ({ moves }) => ({
      head: ['SIGNED', 'EVENTS', 'ROOT BEFORE', 'ROOT AFTER', 'KEY'],
      rows: moves.map(({ time, from, to, keyId }) => [time, from.size, from.rootHash, to.rootHash, keyId]),
      none: 'This log has no move that sealed personal data.',
    }),
  }),
  adminCommand({
    name: 'audit.rotateKey',
    words: ['audit', 'rotate-key'],
    about: 'Create a new key for signing heads. The old one only verifies.',
    async run({ proofs }) {
      await proofs.open();
      return proofs.keys.rotate();
    },
    text: ({ keyId, publicKey }) => `Heads are signed with ${keyId} from now on: ${publicKey}`,
  }),
];
