import type { TSchema } from 'typebox';
import { Type } from './type.js';

export { Named, OneOf } from '../../domain/schema.js';

/** Schemas that several areas share. One schema gives the TypeScript type, the validation and the OpenAPI document. */
export const MAX_CENTS = 100_000_000_000;

export const Uuid = Type.String({ format: 'uuid' });
export const DateTime = Type.String({ format: 'date-time' });
/** A name that people read: blanks and invisible characters alone are none. */
export const VisibleName = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, format: 'visible', ...(description !== undefined && { description }) });
/** Money: whole US cents. */
export const Cents = (options: { minimum?: number; description?: string } = {}) =>
  Type.Integer({ minimum: 0, maximum: MAX_CENTS, format: 'int64', ...options });
export const Int64 = (options: { minimum?: number; maximum?: number; description?: string } = {}) =>
  Type.Integer({ format: 'int64', ...options });
export const Int32 = (options: { minimum?: number; maximum?: number; description?: string } = {}) =>
  Type.Integer({ format: 'int32', maximum: 2_147_483_647, ...options });
export const ExternalId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._:-]+$' });
export const ExternalRef = Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9._:-]+$' });
/** An object that declares no additional properties, as every request body does. */
export const Closed = <P extends Parameters<typeof Type.Object>[0]>(
  properties: P,
  options: { description?: string; title?: string } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });
/** A field beyond the specification: the document marks it with `x-suuq-addition`, as it does operations. */
export const Addition = <S extends TSchema>(schema: S): S => Object.assign(schema, { 'x-suuq-addition': true });
/** Pagination's query parameters. (Specification 1, 'Pagination'; bounds: DESIGN.) */
export const PageQuery = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2048, description: 'The `next` of the previous page, unchanged.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      format: 'int64',
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'Maximum number of items on the page.',
    }),
  ),
};
