/** HTTP statuses that the provider gives its codes; others are 400. */
const STATUSES: Readonly<Record<number, number>> = {
  1: 500,
  2: 503,
  131000: 500,
  131016: 503,
  131057: 503,
  130429: 429,
  190: 401,
  132001: 404,
};

/** Text for a person, in addition to the message for developers. */
export interface ForPerson {
  readonly title: string;
  readonly detail: string;
}

/** An error of the provider. `code` is its own, `status` HTTP's. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly code: number;
  readonly status: number;
  readonly forPerson: ForPerson | undefined;
  constructor(code: number, message: string, status = STATUSES[code] ?? 400, forPerson?: ForPerson) {
    super(message);
    this.code = code;
    this.status = status;
    this.forPerson = forPerson;
  }
}
