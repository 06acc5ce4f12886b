/** Files used by messages stay: an upload is retained from the moment its message is queued. */
import { expect } from 'chai';
import type { FileEvent } from '../../domain/files/fileEvents.js';
import { conversationId, FILES, fileId, templateId } from '../support/stages/sendingHistory.js';
import { type Body, type SendingStage, sendingStage } from '../support/stages/sendingStage.js';

const { workspaceId: _, createdAt: __, ...SHIRT } = FILES.get(fileId('shirt.jpg'))!;

describe('uploads in the inbox', () => {
  let stage: SendingStage;
  before(async () => {
    stage = await sendingStage();
  });
  after(() => stage.close());
  const uploaded = async (name: string): Promise<string> => {
    const stored: FileEvent = { type: 'FileStored', data: { ...SHIRT, name, temporary: true } };
    await stage.append(`file-${fileId(name)}`, [stored]);
    await stage.shown();
    return fileId(name);
  };
  const send = (name: string, body: object) => stage.post(`/conversations/${conversationId(name)}/messages`, body);
  const photo = (file: string, clientMsgId: string): Body => ({ clientMsgId, type: 'image', media: { fileId: file } });
  const events = async (file: string): Promise<Body[]> => {
    const all: Body[] = await stage.eventStore.readStream(`file-${file}`);
    return all.slice(1).map(({ type, data }) => ({ type, data }));
  };
  const used = { type: 'FileUsed', data: { use: 'message' } };

  it('stay once a message contains them, however many do', async () => {
    const file = await uploaded('blue.jpg');
    expect((await send('hodan', photo(file.toUpperCase(), 'blue-1'))).status).to.equal(202);
    expect(await events(file)).to.deep.equal([used]);
    expect((await send('hodan', photo(file, 'blue-2'))).status).to.equal(202);
    expect(await events(file)).to.deep.equal([used]);
  });

  it('stay if a template’s header contains them', async () => {
    const file = await uploaded('header.jpg');
    const components = [
      { type: 'header', parameters: [{ type: 'image', media: { fileId: file } }] },
      { type: 'body', parameters: [{ type: 'text', text: 'Asha' }] },
    ];
    const template = { templateId: templateId('photo'), components };
    const { status, body } = await send('hodan', { clientMsgId: 'header-1', type: 'template', template });
    expect(status, JSON.stringify(body)).to.equal(202);
    expect(await events(file)).to.deep.equal([used]);
  });

  it('do not stay for a rejected message', async () => {
    const file = await uploaded('late.jpg');
    const { status, body } = await send('sahra', photo(file, 'late-1'));
    expect([status, body.code]).to.deep.equal([409, 'window_closed']);
    expect(await events(file)).to.deep.equal([]);
  });

  it('are not sent if they have just been removed, whatever the view shows', async () => {
    const file = await uploaded('gone.jpg');
    await stage.append(`file-${file}`, [{ type: 'FileRemoved', data: { reason: 'unused' } }]);
    const { status, body } = await send('hodan', photo(file, 'gone-1'));
    expect([status, body.code, body.errors[0].location]).to.deep.equal([422, 'validation_failed', 'body.media.fileId']);
    expect(
      (await stage.events(conversationId('hodan'), 'MessageQueued')).some(({ data }) => data.clientMsgId === 'gone-1'),
    ).to.equal(false);
  });
});
