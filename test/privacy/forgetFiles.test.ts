/** Files that are deleted with a forgotten customer. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { customerStreamId } from '../../application/channel/customerIdentity.js';
import { copyId, mediaCopying } from '../../application/channel/mediaCopying.js';
import { createFiles, type Files } from '../../application/files/files.js';
import type { PersonKeys } from '../../application/ports/personKeys.js';
import { eventTasks } from '../../application/privacy/eventTasks.js';
import { DomainError } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { silentLog } from '../../engine/ports/log.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import { files } from '../../projections/files.js';
import { commandsOf } from '../../service/composition/privacy/erasureWatch.js';
import { sha256 } from '../contracts/fileStoreContract.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';
import { NUMBER as CONNECTED } from '../support/stages/channelStage.js';

const SHOP = '00000000-0000-4000-8000-0000000000a1';
const [ASHA, BILE] = ['+252615550101', '+252615550102'];
const NUMBER = derivedId('number', SHOP);
const [PRICES, BILL] = ['00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-0000000000f2'] as const;
const IMAGE = { type: 'image', mimeType: 'image/png' };
const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

describe('files of an erased customer', () => {
  let stage: ForgettingStage;
  let [hers, his]: string[] = [];
  beforeEach(async () => {
    stage = await forgettingStage();
    await stage.store(SHOP);
    await stage.happens(SHOP, `store-${SHOP}`, 'ChannelNumberConnected', {
      ...{
        numberId: NUMBER,
        phoneNumberId: 'p1',
        businessAccountId: 'b',
        displayPhone: '+252610000000',
        catalogId: 'c',
      },
    });
    hers = await stage.writes(SHOP, { phone: ASHA });
    his = await stage.writes(SHOP, { phone: BILE });
  });
  afterEach(() => stage.close());

  const stored = (fileId: string, source: 'upload' | 'channel', more: object = {}): Promise<void> =>
    stage.happens(SHOP, `file-${fileId}`, 'FileStored', {
      ...{ name: 'photo.png', mimeType: 'image/png', size: 8, sha256: 'ab', kind: 'image', contentId: fileId, source },
      ...more,
    });
  /** Sends a photo from a customer and stores its copy. Returns the id of the copy. */
  async function sends(stream: string, messageId: string, phone: string): Promise<string> {
    const fileId = copyId(streamId(stream), messageId);
    const sentAt = new Date(stage.clock.now()).toISOString();
    const text = { messageId, channelMessageId: `wamid.${messageId}`, sentAt, customer: { phone } };
    const content = { ...IMAGE, channelMediaId: `media-${messageId}`, text: '' };
    await stage.happens(SHOP, stream, 'MessageReceived', { ...text, content });
    await stored(fileId, 'channel', { conversationId: streamId(stream) });
    return fileId;
  }
  const shown = (stream: string, messageId: string, fileId: string): Promise<void> =>
    stage.happens(SHOP, stream, 'MessageMediaStored', { messageId, fileId, mimeType: 'image/png', size: 8 });
  const takesBack = (stream: string, messageId: string): Promise<void> =>
    stage.happens(SHOP, stream, 'MessageDeleted', { messageId, at: new Date(stage.clock.now()).toISOString() });

  async function forget(...phones: readonly string[]): Promise<number> {
    await stage.stage.shown();
    const subjects = phones.map(async (value) => ({
      ...{ workspaceId: SHOP, value, persons: await stage.people.everyone(SHOP, value) },
    }));
    return stage.forgetting.forget(await Promise.all(subjects), commandsOf(stage.stage.commands));
  }
  /** Returns the given files that the store still has. */
  async function left(...ids: readonly string[]): Promise<string[]> {
    await stage.stage.shown();
    const found = await Promise.all(ids.map((id) => stage.stage.reads.get(files, `${SHOP}/${id}`)));
    return ids.filter((_, at) => found[at] !== undefined);
  }

  it('are deleted, also those of deleted messages; others keep theirs', async () => {
    const seen = await sends(hers!, 'm1', ASHA);
    await shown(hers!, 'm1', seen);
    const back = await sends(hers!, 'm2', ASHA);
    await shown(hers!, 'm2', back);
    await takesBack(hers!, 'm2');
    // The message was withdrawn during the copy, so no event of the conversation names the file.
    const unnamed = await sends(hers!, 'm3', ASHA);
    await takesBack(hers!, 'm3');
    const other = await sends(his!, 'm4', BILE);
    await shown(his!, 'm4', other);
    expect(await left(seen, back, unnamed, other)).to.have.length(4);
    expect(await forget(ASHA)).to.equal(3);
    expect(await left(seen, back, unnamed, other)).to.deep.equal([other]);
  });

  /** Sends an uploaded file from the store. */
  const given = (stream: string, fileId: string, phone: string): Promise<void> =>
    stage.happens(SHOP, stream, 'MessageQueued', {
      ...{ messageId: randomUUID(), numberId: NUMBER, to: { phone }, content: { ...IMAGE, fileId, text: '' } },
    });

  it("stay if they are the store's and another customer has them too, until that one is erased", async () => {
    await stored(PRICES, 'upload');
    await stored(BILL, 'upload');
    await given(hers!, PRICES, ASHA);
    await given(hers!, BILL, ASHA);
    await given(his!, PRICES, BILE);
    expect(await forget(ASHA)).to.equal(1);
    expect(await left(PRICES, BILL)).to.deep.equal([PRICES]);
    expect(await forget(BILE)).to.equal(1);
    expect(await left(PRICES, BILL)).to.deep.equal([]);
  });

  it('are deleted when all their customers are erased at once, also forwarded ones', async () => {
    await stored(PRICES, 'upload');
    await given(hers!, PRICES, ASHA);
    await given(his!, PRICES, BILE);
    const photo = await sends(hers!, 'm1', ASHA);
    await given(his!, photo, BILE);
    expect(await forget(ASHA, BILE)).to.equal(2);
    expect(await left(PRICES, photo)).to.deep.equal([]);
  });

  it('are retried if deleting one fails', async () => {
    await stored(BILL, 'upload');
    await given(hers!, BILL, ASHA);
    await stage.stage.shown();
    const asha = { workspaceId: SHOP, value: ASHA, persons: await stage.people.everyone(SHOP, ASHA) };
    const commands = commandsOf(stage.stage.commands);
    const busy = new DomainError('conflict', 'Others have changed it.');
    const failing: typeof commands = (about) => ({
      ...commands(about),
      decide: (of, ...rest) => (of.name === 'file' ? Promise.reject(busy) : commands(about).decide(of, ...rest)),
    });
    expect(await stage.forgetting.forget([asha], failing).catch((error: unknown) => error)).to.equal(busy);
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([true]);
    expect(await stage.forgetting.resume()).to.equal(1);
    expect([...(await left(BILL)), ...(await stage.known(SHOP, ASHA))]).to.deep.equal([false]);
  });

  it('are deleted if the process ended after their key was removed, also in a conversation of a former number', async () => {
    const OLD = '+252615550109';
    const key = randomUUID();
    for (const phone of [OLD, ASHA]) {
      await stage.happens(SHOP, `customer-${customerStreamId(SHOP, 'phone', phone)}`, 'CustomerKnown', {
        kind: 'phone',
        key,
      });
      const customer = { phone };
      await stage.happens(SHOP, `customer-${customerStreamId(SHOP, 'key', key)}`, 'CustomerNamed', { customer });
    }
    const before = await stage.writes(SHOP, { phone: OLD });
    await stage.stage.shown();
    const persons = (await Promise.all([ASHA, OLD].map((one) => stage.people.everyone(SHOP, one)))).flat();
    let copy = '';
    const died = new Promise<void>((dead) => {
      const people: PersonKeys = {
        ...stage.people,
        async forget(...of) {
          copy = await sends(before, 'm1', OLD);
          await stage.people.forget(...of);
          dead();
          return new Promise(() => undefined);
        },
      };
      const asha = { workspaceId: SHOP, value: ASHA, persons };
      void stage.another({ people }).forget([asha], commandsOf(stage.stage.commands));
    });
    await died;
    expect(await stage.known(SHOP, ASHA, OLD)).to.deep.equal([false, false]);
    expect(await left(copy)).to.deep.equal([copy]);
    await stage.another().resume();
    expect(await left(copy)).to.deep.equal([]);
  });

  describe('that are being copied', () => {
    const PHOTO = Buffer.from('a photo of a garden');
    const NAME = 'garden-of-asha.png';
    let folder: string;
    let store: Files;
    let downloading: () => Promise<void>;
    /** Runs when the file is stored, before the processor continues. */
    let checking: () => Promise<void>;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'suuq-copied-'));
      const fileStore = await openFolderFiles({ folder, alone: true });
      store = createFiles({ store: fileStore, commands: stage.stage.commands, trouble: () => undefined });
      downloading = async () => undefined;
      checking = async () => undefined;
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const media = () => ({
      locate: async (url: string) => ({ url, mimeType: 'image/png', size: PHOTO.length, sha256: sha256(PHOTO) }),
      async download() {
        await downloading();
        return Readable.from([PHOTO], { objectMode: false });
      },
    });
    const start = async () => {
      const { isForgotten } = stage.texts;
      const copying = mediaCopying({
        ...{ media: media(), files: store, storageLimitOf: async () => undefined, log: silentLog },
        ...{
          numbers: { byNumberId: async () => ({ ...CONNECTED, numberId: NUMBER, workspaceId: SHOP }) },
          accessTokenOf: () => undefined,
        },
        async isForgotten(...place) {
          await checking();
          return isForgotten(...place);
        },
      });
      return stage.stage.start([eventTasks(copying, { log: stage.stage.eventStore, isForgotten })]);
    };
    /** Sends a document from Asha. Returns the id of its copy. */
    async function arrives(): Promise<string> {
      const text = { messageId: 'm1', channelMessageId: 'wamid.m1', customer: { phone: ASHA } };
      const content = { type: 'document', mimeType: 'image/png', channelMediaId: 'media-m1', text: '', filename: NAME };
      const sentAt = new Date(stage.clock.now()).toISOString();
      await stage.happens(SHOP, hers!, 'MessageReceived', { ...text, sentAt, content });
      return copyId(streamId(hers!), 'm1');
    }
    const eventsOf = async (fileId: string): Promise<string[]> =>
      (await stage.stage.eventStore.readStream(`file-${fileId}`)).map(({ type }) => type);
    const isGone = (fileId: string): Promise<void> =>
      until('the file is deleted', async () => {
        await stage.clock.advance(1_000);
        return (await eventsOf(fileId)).includes('FileRemoved');
      });
    async function isNowhere(fileId: string): Promise<void> {
      expect(await eventsOf(fileId)).to.deep.equal(['FileStored', 'FileRemoved']);
      const events = await stage.stage.eventStore.readStream(`file-${fileId}`);
      expect(JSON.stringify(events)).not.to.include('garden');
      expect(await left(fileId)).to.deep.equal([]);
    }

    it('are deleted when the copy is stored after the erasure, without a trace of the customer', async () => {
      downloading = async () => {
        await forget(ASHA);
      };
      await start();
      const fileId = await arrives();
      await isGone(fileId);
      await isNowhere(fileId);
    });

    it('are deleted if the process ends right after the copy and they are erased before the next start', async () => {
      let isStored = false;
      downloading = async () => {
        await forget(ASHA);
      };
      checking = () => {
        isStored = true;
        return new Promise(() => undefined);
      };
      const first = await start();
      const fileId = await arrives();
      await until('it is stored', async () => {
        await stage.clock.advance(1_000);
        return isStored;
      });
      void first.stop();
      expect(await eventsOf(fileId)).to.deep.equal(['FileStored']);
      checking = async () => undefined;
      await start();
      await isGone(fileId);
      await isNowhere(fileId);
    });

    for (const [when, late] of [
      ['which the read models do not show yet', true],
      ['between the search for their files and the removal of their key', false],
    ] as const)
      it(`are deleted when the copy was stored ${when}`, async () => {
        const fileId = await arrives();
        await stage.stage.shown();
        const persons = await stage.people.everyone(SHOP, ASHA);
        const copies = () => stored(fileId, 'channel', { conversationId: streamId(hers!), name: NAME });
        const release = late ? stage.stage.holdViews() : () => undefined;
        if (late) await copies();
        const people: PersonKeys = {
          ...stage.people,
          async forget(...of) {
            if (!late) await copies();
            release();
            return stage.people.forget(...of);
          },
        };
        const subject = { workspaceId: SHOP, value: ASHA, persons };
        const count = await stage.another({ people }).forget([subject], commandsOf(stage.stage.commands));
        expect(count).to.equal(1);
        await isNowhere(fileId);
      });
  });
});
