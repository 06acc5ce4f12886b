import type { Db, Statement } from './database.js';

/** Maximum number of prepared statements per connection. Beyond it all are dropped, and those in use return. */
const MOST_STATEMENTS = 500;

/** Returns the prepared statement of an SQL text. */
export type Statements = (sql: string) => Statement;

/** Prepares each SQL text once. */
export function statementCache(db: Db): Statements {
  // No list of what was used last: keeping that cost 2 % of a list page, for three statements each.
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const found = prepared.get(sql);
    if (found !== undefined) return found;
    if (prepared.size >= MOST_STATEMENTS) prepared.clear();
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
