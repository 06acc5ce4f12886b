/** An export as tables: its Parquet files, read as they are. */
import { resolve } from 'node:path';
import { refuse } from '../../domain/decider.js';
import { quotedName, quotedText } from './columns.js';
import { checkFiles, MANIFEST, readManifest } from './manifest.js';
import { ENVELOPE, eventTables } from './tables.js';

export interface ExportedFiles {
  /** Absolute. */
  readonly folder: string;
  /** Paths below the folder, by the type of their events. */
  readonly byType: ReadonlyMap<string, readonly string[]>;
}

/** Refuses `not_an_export`, `export_damaged`, `not_parquet`. */
export function openExported(folder: string): ExportedFiles {
  const manifest = readManifest(folder);
  if (manifest === undefined)
    return refuse(
      'not_an_export',
      `${folder} has no ${MANIFEST}. Export with 'suuq export ${folder} --format parquet'.`,
    );
  if (manifest.format !== 'parquet')
    refuse(
      'not_parquet',
      `The export in ${folder} is ${manifest.format}; queries need an export with --format parquet.`,
    );
  checkFiles(folder, manifest);
  const byType = new Map<string, string[]>();
  for (const { path, type } of manifest.files) byType.set(type!, [...(byType.get(type!) ?? []), path]);
  return { folder: resolve(folder), byType };
}

const filesOf = ({ folder, byType }: ExportedFiles, type: string): string =>
  `read_parquet([${byType
    .get(type)!
    .map((path) => quotedText(`${folder}/${path}`))
    .join(', ')}], union_by_name = true)`;

/** SQL that makes a view of each table that is named. Types of which there is no event are empty. */
export function exportTables(exported: ExportedFiles, isNamed: (table: { readonly name: string }) => boolean): string {
  const envelope = ENVELOPE.map(({ name, type }) =>
    type === 'JSON' ? `${name}::JSON AS ${name}` : quotedName(name),
  ).join(', ');
  const nulls = ENVELOPE.map(({ name, type }) => `NULL::${type} AS ${quotedName(name)}`).join(', ');
  const views: string[] = [];
  if (isNamed({ name: 'events' })) {
    const parts = [...exported.byType.keys()].map((type) => `SELECT ${envelope} FROM ${filesOf(exported, type)}`);
    views.push(`CREATE VIEW events AS ${[...parts, `SELECT ${nulls} WHERE false`].join(' UNION ALL ')}`);
  }
  for (const { name, type, columns } of eventTables.filter(isNamed)) {
    const own = columns.map((column) => `NULL::${column.type} AS ${quotedName(column.name)}`);
    const from = exported.byType.has(type)
      ? `SELECT * REPLACE (data::JSON AS data) FROM ${filesOf(exported, type)}`
      : `SELECT ${[nulls, ...own].join(', ')} WHERE false`;
    views.push(`CREATE VIEW ${name} AS ${from}`);
  }
  return views.length === 0 ? 'SELECT 1' : views.join(';\n');
}
