/** An open tail of the console, as a browser's tab holds it. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { Browser, ConsoleStage } from './consoleStage.js';

export class ConsoleTab<Message> {
  /** The messages that it has received, with their ids. */
  readonly messages: (Message & { readonly id: number })[] = [];
  readonly ended: Promise<void>;
  readonly #request: ClientRequest;
  #changed: () => void = () => undefined;

  private constructor(request: ClientRequest, answer: IncomingMessage) {
    this.#request = request;
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const [, id, data] = /^id: (\d+)\ndata: (.+)$/.exec(part) ?? [];
        if (data !== undefined) this.messages.push({ id: Number(id), ...JSON.parse(data) });
      }
      this.#changed();
    });
    this.ended = new Promise((resolve) => answer.once('close', resolve));
  }

  /** `path`: below the console's operations, such as `/tail`. */
  static open<Message>(
    { consoleUrl }: ConsoleStage,
    { cookie }: Browser,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<ConsoleTab<Message>> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(`${consoleUrl}/api${path}`, { headers: { cookie, ...headers } }, (answer) => {
        expect([answer.statusCode, answer.headers['content-type']]).to.deep.equal([
          200,
          'text/event-stream; charset=utf-8',
        ]);
        resolve(new ConsoleTab<Message>(request, answer));
      });
      // A server that closes may drop the connection.
      request.on('error', reject).end();
    });
  }

  async until(isSeen: (messages: readonly Message[]) => boolean): Promise<void> {
    while (!isSeen(this.messages))
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
  }

  close(): void {
    this.#request.destroy();
  }
}
