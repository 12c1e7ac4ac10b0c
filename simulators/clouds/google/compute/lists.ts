/** Lists: filters, pages, and lists over all zones. */
import type { Call } from '../account.ts';
import { ZONES } from '../catalogue.ts';
import { GoogleError, invalid } from '../errors.ts';
import { linkTo } from './links.ts';

/** A row as it is answered. */
export type Row = Readonly<Record<string, unknown>>;

const MOST = 500;

const fieldOf = (row: Row, path: string): string => {
  let at: unknown = row;
  for (const name of path.split('.')) at = typeof at === 'object' && at !== null ? (at as Row)[name] : undefined;
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : '';
};

const unquoted = (value: string): string => value.replace(/^(["'])(.*)\1$/u, '$2');

/** One condition: `name = "x"`, `labels.a!=b`, or with a regular expression over the whole field `name eq x.*`. */
function condition(words: string): (row: Row) => boolean {
  const [, field = '', operator = '', value = ''] =
    /^\(?\s*([\w.-]+)\s*(!=|=|\seq\s|\sne\s)\s*(.+?)\s*\)?$/u.exec(words.trim()) ?? [];
  const wanted = unquoted(value.trim());
  switch (operator.trim()) {
    case '=':
      return (row) => fieldOf(row, field) === wanted;
    case '!=':
      return (row) => fieldOf(row, field) !== wanted;
    case 'eq':
    case 'ne': {
      const pattern = new RegExp(`^(?:${wanted})$`, 'u');
      return (row) => pattern.test(fieldOf(row, field)) === (operator.trim() === 'eq');
    }
    default:
      throw invalid('filter', words, 'Invalid list filter expression.');
  }
}

/** Rows that pass the filter of the call. @throws GoogleError for a filter that is not valid */
function filtered({ query }: Call, rows: readonly Row[]): readonly Row[] {
  const filter = query.get('filter') ?? '';
  if (filter === '') return rows;
  const conditions = filter.split(/\bAND\b/u).map(condition);
  return rows.filter((row) => conditions.every((holds) => holds(row)));
}

interface Page {
  readonly rows: readonly Row[];
  readonly next: { readonly nextPageToken?: string };
}

function pageOf(call: Call, rows: readonly Row[]): Page {
  const { query, sim } = call;
  const asked = Number(query.get('maxResults') ?? MOST);
  if (!Number.isInteger(asked) || asked < 0 || asked > MOST)
    throw invalid('maxResults', query.get('maxResults') ?? '', `Values must be between 0 and ${MOST}`);
  const size = Math.min(asked === 0 ? MOST : asked, sim.dialect.mostPerPage);
  const token = query.get('pageToken') ?? '';
  const from = token === '' ? 0 : Number(Buffer.from(token, 'base64url').toString('utf8'));
  if (!Number.isInteger(from) || from < 0) throw new GoogleError(400, 'invalid', `Invalid page token: ${token}`);
  const to = from + size;
  const next = to < rows.length ? { nextPageToken: Buffer.from(String(to), 'utf8').toString('base64url') } : {};
  return { rows: rows.slice(from, to), next };
}

/** A list of one place. @param kind such as `compute#instanceList` @param path of the list, below the project */
export function listAnswer(call: Call, kind: string, path: string, all: readonly Row[]): unknown {
  const { rows, next } = pageOf(call, filtered(call, all));
  return {
    kind,
    id: `projects/${call.sim.project}${path}`,
    // An empty list has no items.
    ...(rows.length === 0 ? {} : { items: rows }),
    ...next,
    selfLink: linkTo(call.sim, path),
  };
}

/** A list over all zones: each has its rows, or says that this page has none of it. */
export function aggregatedAnswer(
  call: Call,
  kind: string,
  field: string,
  all: readonly { readonly zone: string; readonly row: Row }[],
): unknown {
  const kept = new Set(
    filtered(
      call,
      all.map(({ row }) => row),
    ),
  );
  const { rows, next } = pageOf(
    call,
    all.filter(({ row }) => kept.has(row)).map(({ zone, row }) => ({ zone, row })),
  );
  const byZone = Map.groupBy(rows as readonly { zone: string; row: Row }[], ({ zone }) => zone);
  const scopes = ZONES.map((zone) => {
    const there = byZone.get(zone);
    const warning = {
      code: 'NO_RESULTS_ON_PAGE',
      message: `There are no results for scope 'zones/${zone}' on this page.`,
      data: [{ key: 'scope', value: `zones/${zone}` }],
    };
    return [`zones/${zone}`, there === undefined ? { warning } : { [field]: there.map(({ row }) => row) }] as const;
  });
  const path = `/aggregated/${field}`;
  return {
    kind,
    id: `projects/${call.sim.project}${path}`,
    items: Object.fromEntries(scopes),
    ...next,
    selfLink: linkTo(call.sim, path),
  };
}
