/** Types and durations of sound files, read from their bytes and not from their headers and names. */
import { expect } from 'chai';
import { type AudioReader, UnreadableSound } from '../../application/ports/audioReader.js';
import { CHIME_BYTES, CHIME_MS, chime } from '../../domain/channel/chime.js';
import { createAudioReader } from '../../infrastructure/audio/audioReader.js';
import { aac, m4a, mp3, ogg, wav } from '../support/samples/soundFiles.js';

const MOST = 1024 * 1024;

async function* pieces(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

describe('reading sound files', () => {
  let reader: AudioReader;
  before(() => {
    reader = createAudioReader();
  });
  after(() => reader.close());

  const read = (bytes: Uint8Array) => reader.read(pieces(bytes), MOST);
  const refusal = (bytes: Uint8Array): Promise<string> =>
    read(bytes).then(
      (sound) => `read: ${JSON.stringify(sound)}`,
      (error) => (error instanceof UnreadableSound ? error.message : `failed: ${error}`),
    );
  const near = async (bytes: Uint8Array, mimeType: string, seconds: number): Promise<void> => {
    const sound = await read(bytes);
    expect(sound.mimeType).to.equal(mimeType);
    expect(sound.durationMs).to.be.closeTo(seconds * 1000, 60);
  };

  it('returns type and duration of every kind that calls can play', async () => {
    await near(wav(2.5), 'audio/wav', 2.5);
    await near(mp3(3), 'audio/mpeg', 3);
    await near(mp3(3, { declaredFrames: 115 }), 'audio/mpeg', 3);
    await near(ogg(4), 'audio/ogg', 4);
    await near(m4a(5), 'audio/mp4', 5);
    await near(aac(3), 'audio/aac', 3);
  });

  it('reads a WAV file whose writer could not store its length', async () => {
    await near(wav(2, { declaredBytes: 0xffffffff }), 'audio/wav', 2);
  });

  it('reads the default chime', async () => {
    expect(chime()).to.have.lengthOf(CHIME_BYTES);
    expect(await read(chime())).to.deep.equal({ mimeType: 'audio/wav', durationMs: CHIME_MS });
    expect(chime().equals(chime())).to.equal(true);
  });

  it('rejects what is not a sound, whatever its first bytes', async () => {
    const others = {
      empty: Buffer.alloc(0),
      text: Buffer.from('This is a text, long enough to be something. '.repeat(50)),
      utf16: Buffer.from([0xff, 0xfe, ...Buffer.from('Something else'.repeat(200), 'utf16le')]),
      zeros: Buffer.alloc(50_000),
      jpeg: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5_000, 0x55)]),
      tagOnly: Buffer.concat([
        Buffer.from('ID3\u0003\u0000\u0000\u0000\u0000\u0010\u0000', 'latin1'),
        Buffer.alloc(2048),
      ]),
    };
    for (const [name, bytes] of Object.entries(others))
      expect(await refusal(bytes), name).to.match(/^The file is not a supported sound file/);
  });

  it('reports a truncated file', async () => {
    for (const whole of [wav(3), m4a(3)])
      expect(await refusal(whole.subarray(0, whole.length / 2))).to.match(/^The sound file is incomplete/);
    expect(await refusal(wav(3).subarray(0, 30))).to.match(/^The sound file is (incomplete|damaged)/);
    for (const whole of [ogg(3), mp3(3)]) {
      const cut = await read(whole.subarray(0, whole.length / 2));
      expect(cut.durationMs, 'what is there').to.be.within(500, 2_000);
    }
  });

  it('does not trust headers that declare a wrong duration', async () => {
    const lying = {
      mp3: mp3(1, { declaredFrames: 137_813 }),
      ogg: ogg(1, { declaredSeconds: 3_600 * 24 }),
      m4a: m4a(0.02, { declaredSeconds: 3_600 }),
      wav: wav(1, { declaredBytes: 8_000 * 2 * 3_600 }),
      shortMp3: mp3(40, { declaredFrames: 20 }),
    };
    for (const [name, bytes] of Object.entries(lying))
      expect(await refusal(bytes), name).to.match(/^The sound file is (incomplete|damaged)/);
  });

  it('terminates for any bytes after a valid beginning', async () => {
    const noise = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i * 31 + i * 7) % 251));
    for (const start of [
      wav(1).subarray(0, 44),
      mp3(1).subarray(0, 900),
      ogg(1).subarray(0, 120),
      m4a(1).subarray(0, 300),
    ])
      for (const from of [0, 100, 3_333]) {
        const reported = await refusal(Buffer.concat([start, noise.subarray(from)]));
        expect(reported).not.to.match(/^failed/);
      }
  });

  it('allocates no memory for the declared size of a chunk', async () => {
    const promised = Buffer.from(wav(1));
    promised.write('id3 ', 12, 'latin1');
    promised.writeUInt32LE(0xfffffff0, 16);
    promised.writeUInt32LE(0xffffffff, 4);
    expect(await refusal(promised)).to.match(/^The sound file is damaged|^The file is not a supported/);
  });

  it('reads at most the allowed bytes', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 10_000;
        yield Buffer.alloc(10_000);
      }
    }
    const error = await reader.read(endless(), 100_000).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(UnreadableSound);
    expect(given).to.be.at.most(120_000);
  });

  it('continues after a file whose source failed, and reads many in sequence', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield wav(1);
      throw new Error('the bucket is away');
    }
    const outcomes = await Promise.allSettled([
      reader.read(failing(), MOST),
      ...[1.5, 2.5, 3.5].map((seconds) => read(wav(seconds))),
    ]);
    expect(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value.durationMs : one.reason.message)),
    ).to.deep.equal(['the bucket is away', 1_500, 2_500, 3_500]);
  });

  it('gives up a file that takes too long, without effect on the next', async () => {
    const hasty = createAudioReader({ timeoutMs: 1 });
    const error = await hasty.read(pieces(wav(2)), MOST).catch((thrown) => thrown);
    expect(error.message).to.match(/took longer/);
    await hasty.close();
    await near(wav(1), 'audio/wav', 1);
  });
});
