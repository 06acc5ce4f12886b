/** Files of the channel over its protocol: where they may come from, and how long they may take. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { MediaPlace } from '../../application/ports/channelMedia.js';
import { type ChannelMediaOptions, createChannelMedia } from '../../infrastructure/channel/channelMedia.js';
import { mediaAddresses } from '../../infrastructure/channel/mediaAddresses.js';
import { bytesOf } from '../support/doubles/bytesOf.js';
import { JPEG, sampleOf } from '../support/samples/fileSamples.js';
import { NUMBER_ID, type SandboxStage, sandboxStage, TOKEN } from '../support/stages/sandboxStage.js';

const mediaHosts = ['lookaside.fbsbx.com'];
const OWN = 'token-of-the-number';

async function failureOf(work: Promise<unknown>): Promise<[string, boolean]> {
  const error = await work.then(
    () => new Error('expected a failure'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof ProviderError)) throw error;
  return [error.code, error.retry];
}

describe('files of the channel', () => {
  let stage: SandboxStage;
  let media: ReturnType<typeof createChannelMedia>;
  const connected = (more: Partial<ChannelMediaOptions> = {}) =>
    createChannelMedia({ baseUrl: stage.baseUrl, version: 'v23.0', accessToken: TOKEN, mediaHosts, ...more });
  const { bytes, mimeType } = sampleOf('audio/ogg');
  const upload = (name = 'صوت "1".ogg', content = bytes, type = mimeType) =>
    media.upload(
      NUMBER_ID,
      { filename: name, mimeType: type, size: content.length, content: async () => Readable.from([content]) },
      undefined,
    );

  before(async () => {
    stage = await sandboxStage();
    media = connected();
  });
  after(async () => {
    await media.close();
    await stage.close();
  });
  afterEach(() => stage.control('DELETE', '/sandbox/faults'));

  it('are uploaded to it, found again, and downloaded unchanged', async () => {
    const { mediaId } = await upload();
    const place = await media.locate(mediaId, undefined);
    expect(place).to.include({ mimeType, size: bytes.length });
    expect((await bytesOf(await media.download(place, undefined))).equals(bytes)).to.equal(true);
    const { body } = await stage.control('GET', '/sandbox/media');
    expect((body as { media: { filename: string }[] }).media.at(-1)!.filename).to.match(/^صوت/);
  });

  it('report missing and rejected files differently', async () => {
    expect(await failureOf(media.locate('4711', undefined))).to.deep.equal(['100', false]);
    expect(await failureOf(upload('a.exe', Buffer.from('MZ'), 'application/x-msdownload'))).to.deep.equal([
      '100',
      false,
    ]);
    expect(await failureOf(media.locate('4711', 'wrong-token'))).to.deep.equal(['190', false]);
  });

  it('have URLs that expire, and whose redirects are not followed', async () => {
    const { mediaId } = await upload();
    const place = await media.locate(mediaId, undefined);
    await stage.control('POST', `/sandbox/media/${mediaId}/expire`);
    expect(await failureOf(media.download(place, undefined))).to.deep.equal(['media_place_expired', true]);
    const fresh = await media.locate(mediaId, undefined);
    await stage.fault('media_download', 'redirect');
    expect(await failureOf(media.download(fresh, undefined))).to.deep.equal(['media_place_refused', true]);
    await stage.fault('media_download', 'cut_off');
    const broken = media.download(fresh, undefined).then(bytesOf);
    expect(await failureOf(broken)).to.deep.equal(['unreachable', true]);
    expect((await bytesOf(await media.download(fresh, undefined))).equals(bytes)).to.equal(true);
  });

  it('time out when they take too long, and stop when the caller aborts', async () => {
    const { mediaId } = await upload('voice.ogg', Buffer.concat([bytes, Buffer.alloc(20_000)]));
    const place = await media.locate(mediaId, undefined);
    const slow = async (more: Partial<ChannelMediaOptions>, signal?: AbortSignal) => {
      await stage.fault('media_download', 'slow');
      const impatient = connected(more);
      const outcome = impatient.download(place, undefined, signal).then(bytesOf);
      return outcome.finally(() => impatient.close());
    };
    expect(await failureOf(slow({ totalMs: 300 }))).to.deep.equal(['timeout', true]);
    const stop = new AbortController();
    const left = slow({}, stop.signal).catch((error: Error) => error.message);
    setTimeout(() => stop.abort(new Error('the service stops')), 100);
    expect(await left).to.equal('the service stops');
  });

  describe('by URL', () => {
    let other: Server;
    let seen: string[];
    const serve = async (listener: RequestListener): Promise<Server> => {
      const server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    };
    const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const placeAt = (url: string): MediaPlace => ({ url, mimeType: 'image/jpeg', size: JPEG.length });

    beforeEach(async () => {
      seen = [];
      other = await serve(({ headers }, response) => {
        seen.push(headers.authorization ?? 'no token');
        response.end(JPEG);
      });
    });
    afterEach(
      () =>
        new Promise((resolve) => {
          other.close(resolve);
          other.closeAllConnections();
        }),
    );

    it('are loaded only from the configured provider and its file hosts', async () => {
      for (const url of [
        `${originOf(other)}/file`,
        'http://lookaside.fbsbx.com/file',
        'https://lookaside.fbsbx.com:8443/file',
        'https://lookaside.fbsbx.com.example.com/file',
        'https://example.com/file',
        'https://10.0.0.1/file',
        'http://169.254.169.254/latest/meta-data',
        'http://[::1]/file',
        `${originOf(other).replace('http://', 'http://user:pass@')}/file`,
        'file:///etc/passwd',
        'not a url',
        `https://lookaside.fbsbx.com/${'x'.repeat(5_000)}`,
      ])
        expect(await failureOf(media.download(placeAt(url), OWN)), url).to.deep.equal(['media_place_refused', true]);
      expect(seen).to.deep.equal([]);
    });

    it('are checked by host only, whatever the rest of the URL', () => {
      const kindOf = mediaAddresses('https://graph.facebook.com', mediaHosts);
      expect(kindOf('https://graph.facebook.com/v23.0/file?mid=1')).to.equal('own');
      expect(kindOf('https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1&ext=2&hash=3')).to.equal('host');
      expect(() => kindOf('http://graph.facebook.com/file')).to.throw(ProviderError);
      expect(() => kindOf('https://evil.example/?lookaside.fbsbx.com')).to.throw(ProviderError);
    });

    it('may be redirected within one host, with the token, and never to another', async () => {
      let target = '/file';
      const tokens: string[] = [];
      const provider = await serve(({ url, headers }, response) => {
        tokens.push(headers.authorization ?? '');
        if (url === '/file') response.end(JPEG);
        else response.writeHead(302, { location: target }).end();
      });
      const own = connected({ baseUrl: originOf(provider) });
      const get = () => own.download(placeAt(`${originOf(provider)}/first`), OWN).then(bytesOf);
      expect((await get()).equals(JPEG)).to.equal(true);
      expect(tokens).to.deep.equal([`Bearer ${OWN}`, `Bearer ${OWN}`]);
      target = `${originOf(other)}/file`;
      expect(await failureOf(get())).to.deep.equal(['media_place_refused', true]);
      target = '/first';
      expect(await failureOf(get())).to.deep.equal(['media_place_refused', true]);
      expect(seen).to.deep.equal([]);
      await own.close();
      provider.closeAllConnections();
      await new Promise((resolve) => provider.close(resolve));
    });
  });
});
