/** Conformance rows for files, which are an addition to the specification, and how to create a file. */
import { operations } from '../../../../api/operations/index.js';
import type { Maker, Specified } from '../rows.js';
import { operationNamed } from '../stage.js';

const inbox = { scope: 'inbox:reply', feature: 'channel.number' };

export const filesSpecified: readonly Specified[] = [
  {
    id: 'uploadFile',
    route: 'POST {W}/files',
    ...inbox,
    answers: { 201: 'FileBody' },
    others: [400, 408, 413, 415, 422, 500],
  },
  {
    id: 'getFile',
    route: 'GET {W}/files/{fileId}',
    ...inbox,
    answers: { 200: null, 206: null },
    others: [304, 404, 416, 422, 500],
  },
  {
    id: 'deleteFile',
    route: 'DELETE {W}/files/{fileId}',
    ...inbox,
    answers: { 204: null },
    others: [404, 422, 500],
  },
];

export const filesSchemas: Readonly<Record<string, string>> = {
  FileBody: 'id name mimeType size kind sha256 createdAt',
};

/** Smallest complete picture: one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns a form with one file. */
export function formWith(bytes: Uint8Array, name = 'pixel.png', type = 'image/png', field = 'file'): FormData {
  const form = new FormData();
  form.append(field, new File([new Uint8Array(bytes)], name, { type }));
  return form;
}

export const filesMakers: Readonly<Record<string, Maker>> = {
  fileId: async (stage, store) =>
    (await stage.call(operationNamed(operations, 'uploadFile'), { body: formWith(PIXEL) }, store)).body.id,
};
