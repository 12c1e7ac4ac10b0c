/** Pages of a list. */
import type { Call, Json } from '../account.ts';
import { ArmError } from '../errors.ts';

/** The page of a list that a call asks for, with the address of the next one. @throws ArmError for a page that does not exist */
export function pageOf({ sim, url }: Pick<Call, 'sim' | 'url'>, rows: readonly Json[]): Response {
  const size = sim.dialect.pageSize;
  const from = Number(url.searchParams.get('$skiptoken') ?? 0);
  if (!Number.isInteger(from) || from < 0) throw new ArmError('InvalidSkipToken', 'The skip token is invalid.');
  const next = new URL(url);
  next.searchParams.set('$skiptoken', String(from + size));
  return Response.json({
    value: rows.slice(from, from + size),
    ...(from + size < rows.length ? { nextLink: next.href } : {}),
  });
}
