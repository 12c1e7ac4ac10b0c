/**
 * Paginated lists: ten to a page unless asked, the body a bare array, the counts in headers.
 */
import type { Context } from 'hono';
import type { Env } from './account.ts';
import { ApiError } from './errors.ts';

const DEFAULT_PAGE_SIZE = 10;
const MOST_PER_PAGE = 100;

function wholeNumber(text: string | undefined, name: string, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ApiError('invalid_request', `${name} must be a whole number from 1 to ${most}`);
  return value;
}

/** The page that the query asks for. @throws ApiError when it asks for none */
export function pageOf<Item>(c: Context<Env>, items: readonly Item[], payload: (item: Item) => unknown): Response {
  const page = wholeNumber(c.req.query('page'), 'page', 1, Number.MAX_SAFE_INTEGER);
  const size = wholeNumber(c.req.query('pageSize'), 'pageSize', DEFAULT_PAGE_SIZE, MOST_PER_PAGE);
  const slice = items.slice((page - 1) * size, page * size).map(payload);
  c.header('X-Page', String(page));
  c.header('X-Page-Size', String(size));
  c.header('X-Total-Count', String(items.length));
  return c.json(slice);
}
