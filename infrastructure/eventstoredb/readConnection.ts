import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { status } from '@grpc/grpc-js';
import { CallMessages, framed } from './callMessages.js';
import { callError, resetError, statusIn } from './callStatus.js';
import { WINDOW_BYTES } from './channelOptions.js';
import type { Address } from './nodes.js';

/** Receiver of a call: the bytes of its messages in order, then its end, once; nothing more after cancel(). */
export interface BytesListener {
  message(bytes: Buffer): void;
  /** Undefined: the server has ended the call well. Otherwise an error as gRPC's own client makes them. */
  ended(error: Error | undefined): void;
}

export interface ReadCall {
  cancel(): void;
  pause(): void;
  resume(): void;
}

export interface ReadConnectionOptions {
  readonly secure: boolean;
  readonly certificates: Pick<SecureClientSessionOptions, 'ca' | 'key' | 'cert'>;
  /** Within so many ms the server must have begun to speak. */
  readonly dialMs: number;
  /** A connection with calls is pinged after so many ms, and dropped without an answer within the other. */
  readonly keepaliveMs: number;
  readonly keepaliveAnswerMs: number;
}

/**
 * Calls that read from one node, on an HTTP/2 connection of their own, which is opened with the first call and reopened when it was lost.
 * gRPC's client passes on each message in its own turn of the event loop, through a chain of promises, which costs several times the
 * handling of an event. Here all messages that have arrived are handled together.
 */
export class ReadConnection {
  readonly #address: Address;
  readonly #options: ReadConnectionOptions;
  #session: Session | undefined;
  #closed = false;

  constructor(address: Address, options: ReadConnectionOptions) {
    this.#address = address;
    this.#options = options;
  }

  /** `ended` of the listener reports failures, never before this has returned. */
  open(path: string, headers: OutgoingHttpHeaders, request: Uint8Array, listener: BytesListener): ReadCall {
    if (this.#closed) return failed(listener, callError(status.UNAVAILABLE, 'the connection was closed'));
    if (this.#session?.isUsable !== true) this.#session = new Session(this.#address, this.#options);
    return this.#session.open(path, headers, request, listener);
  }

  /** True if a call without a body gets a message within so many ms. */
  answers(path: string, headers: OutgoingHttpHeaders, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (answer: boolean): void => {
        clearTimeout(late);
        resolve(answer);
      };
      const listener = { message: () => settle(true), ended: () => settle(false) };
      const call = this.open(path, headers, new Uint8Array(), listener);
      const late = setTimeout(() => {
        call.cancel();
        settle(false);
      }, withinMs);
    });
  }

  close(): void {
    this.#closed = true;
    this.#session?.close();
  }
}

/** A call that could not be made. */
function failed(listener: BytesListener, error: Error): ReadCall {
  const ending = setImmediate(() => listener.ended(error));
  return { cancel: () => clearImmediate(ending), pause() {}, resume() {} };
}

class Session {
  readonly #http: ClientHttp2Session;
  readonly #authority: string;
  readonly #scheme: string;
  /** Open calls. */
  #calls = 0;
  #leaving = false;
  #lost: string | undefined;

  constructor({ target, name }: Address, options: ReadConnectionOptions) {
    const { secure, certificates, dialMs } = options;
    this.#authority = name ?? target;
    this.#scheme = secure ? 'https' : 'http';
    const session = connect(`${this.#scheme}://${target}`, {
      ...certificates,
      ...(name !== undefined && { servername: name }),
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    this.#http = session;
    const late = setTimeout(() => this.#lose(`no answer within ${dialMs / 1000} s`), dialMs);
    session.once('connect', () => {
      // Its socket may have been reset in the same turn.
      if (!session.destroyed) session.setLocalWindowSize(WINDOW_BYTES);
    });
    session.once('remoteSettings', () => clearTimeout(late));
    session.on('error', ({ message }: Error) => {
      this.#lost ??= message;
    });
    session.on('goaway', () => {
      this.#leaving = true;
    });
    const probe = this.#probe(options);
    session.once('close', () => {
      clearTimeout(late);
      clearInterval(probe);
    });
  }

  /** True if calls can be made on it. */
  get isUsable(): boolean {
    return !(this.#leaving || this.#http.closed || this.#http.destroyed);
  }

  open(path: string, headers: OutgoingHttpHeaders, request: Uint8Array, listener: BytesListener): ReadCall {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#http.request({
        ':method': 'POST',
        ':scheme': this.#scheme,
        ':authority': this.#authority,
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
      });
    } catch {
      return failed(listener, this.#lossError());
    }
    this.#calls += 1;
    stream.end(framed(request));
    return this.#followed(stream, listener);
  }

  close(): void {
    this.#lost ??= 'the connection was closed';
    this.#http.destroy();
  }

  #followed(stream: ClientHttp2Stream, listener: BytesListener): ReadCall {
    const messages = new CallMessages();
    let lastStatus: ReturnType<typeof statusIn>;
    let over = false;
    const end = (error: Error | undefined): void => {
      if (over) return;
      over = true;
      listener.ended(error);
    };
    const giveUp = (): void => {
      over = true;
      // Buffered data would keep it from ending.
      stream.removeAllListeners('data').resume();
      stream.close(constants.NGHTTP2_CANCEL);
    };
    stream.on('response', (headers) => {
      lastStatus ??= statusIn(headers);
    });
    stream.on('trailers', (headers) => {
      lastStatus ??= statusIn(headers as Parameters<typeof statusIn>[0]);
    });
    stream.on('data', (bytes: Buffer) => {
      if (over) return;
      try {
        messages.take(bytes, (message) => {
          if (!over) listener.message(message);
        });
      } catch (error) {
        const { message } = error as Error;
        end(callError(status.INTERNAL, `an answer could not be read: ${message}`));
        giveUp();
      }
    });
    let reason: string | undefined;
    stream.on('error', ({ message }: Error) => {
      reason = message;
    });
    stream.on('close', () => {
      this.#calls -= 1;
      if (lastStatus === 'ok')
        end(messages.isHalf ? callError(status.INTERNAL, 'the last message is not whole') : undefined);
      else if (lastStatus !== undefined) end(lastStatus);
      else end(this.isUsable ? resetError(stream.rstCode) : this.#lossError(reason));
    });
    return { cancel: giveUp, pause: () => void stream.pause(), resume: () => void stream.resume() };
  }

  #lossError(reason = 'the connection was lost'): Error {
    return callError(status.UNAVAILABLE, this.#lost ?? reason);
  }

  #lose(reason: string): void {
    this.#lost ??= reason;
    this.#http.destroy();
  }

  #probe({ keepaliveMs, keepaliveAnswerMs }: ReadConnectionOptions): NodeJS.Timeout {
    return setInterval(() => {
      if (this.#calls === 0 || this.#http.connecting || !this.isUsable) return;
      const late = setTimeout(() => this.#lose('the server is silent'), keepaliveAnswerMs);
      const isSent = this.#http.ping(() => clearTimeout(late));
      if (!isSent) clearTimeout(late);
    }, keepaliveMs).unref();
  }
}
