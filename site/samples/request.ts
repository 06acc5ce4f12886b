/** The request that every sample of an operation makes, whatever the language. */
import { IDS } from '../../api/openapi/reference/samples/ids.js';
import type { OperationModel, Parameter } from '../document.js';

export interface SampleRequest {
  readonly id: string;
  readonly method: string;
  /** Path with its parameters and the sample's query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number>>;
  /** The environment variable that holds the credential; undefined where the body is one. */
  readonly secret?: string;
  readonly body?: unknown;
  /** The part of a form, in place of a body. */
  readonly upload?: string;
  readonly isKeyed: boolean;
  readonly answers: 'json' | 'file' | 'nothing';
  /** The member of the answer that a client walks through. */
  readonly isList: boolean;
}

/** Environment variables for the address of the service and for credentials. */
export const URL_VARIABLE = 'SUUQ_URL';
const SECRETS = { store: 'SUUQ_KEY', partner: 'SUUQ_PARTNER_KEY', session: 'SUUQ_SESSION' } as const;

/** One for each thing to create. */
export const SAMPLE_KEY = 'one-per-thing-to-create';
/** The file that samples send. */
export const SAMPLE_FILE = 'dirac.png';
const SHORT_PAGE = 20;

/** Ids as in the samples of bodies, so that path and answer match. */
const NAMED: Readonly<Record<string, string>> = {
  externalId: 'dirac-indigo',
  externalRef: 'shop-7',
  partnerUserId: 'user-17',
};

/** Returns the value of a path's parameter in samples. */
export function pathValue({ name, schema }: Parameter): string {
  const known = NAMED[name] ?? (IDS as Readonly<Record<string, string>>)[name.replace(/Id$/, '')];
  if (known !== undefined) return known;
  if (schema.format === 'uuid') return IDS.workspace;
  const [example] = (schema.examples ?? []) as readonly unknown[];
  return String(example ?? `${name}-1`);
}

function queryOf(parameters: readonly Parameter[]): Record<string, string | number> {
  const query: Record<string, string | number> = {};
  for (const parameter of parameters) {
    if (parameter.name === 'limit') query.limit = SHORT_PAGE;
    else if (parameter.required === true) query[parameter.name] = pathValue(parameter);
  }
  return query;
}

export function sampleRequest(model: OperationModel): SampleRequest {
  const { parameters, operation, answers, credential } = model;
  const inPath = parameters.filter((one) => one.in === 'path');
  const query = queryOf(parameters.filter((one) => one.in === 'query'));
  const params = Object.fromEntries(inPath.map((one) => [one.name, pathValue(one)]));
  const path = model.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const searchParams = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const isFile = answers.some((one) => one.isFile);
  return {
    id: model.id,
    method: model.method,
    path: searchParams === '' ? path : `${path}?${searchParams}`,
    params,
    query,
    ...(credential !== 'none' && { secret: SECRETS[credential] }),
    ...(model.body !== undefined && { body: model.body.example }),
    ...(operation.upload !== undefined && { upload: operation.upload.field }),
    isKeyed: operation.idempotent === true,
    answers: isFile ? 'file' : answers.some(({ schema }) => schema !== undefined) ? 'json' : 'nothing',
    isList: operation.query !== undefined && 'cursor' in operation.query,
  };
}
