/**
 * Paging by cursor: newest first, by creation time and id, so that rows added meanwhile neither repeat nor hide others.
 */
import { DeckhandError } from '../../domain/errors.ts';

interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/** The cursor after a row. */
export function cursorOf(row: Position): string {
  return Buffer.from(`${row.createdAt.toISOString()}|${row.id}`).toString('base64url');
}

/**
 * Condition for the rows after a cursor.
 *
 * @throws DeckhandError `invalid_request` for a cursor that is not ours
 */
export function afterCursor(cursor: string | undefined) {
  const position = positionOf(cursor);
  if (position === undefined) return {};
  const { createdAt, id } = position;
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

/**
 * The row before a cursor; undefined without a cursor.
 *
 * @throws DeckhandError `invalid_request` for a cursor that is not ours
 */
export function positionOf(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|');
  const createdAt = new Date(time);
  if (Number.isNaN(createdAt.getTime()) || id === '') {
    throw new DeckhandError('invalid_request', `bad cursor ${cursor}`, {
      userMessage: 'cursor: not a cursor of this API',
    });
  }
  return { createdAt, id };
}

/** Cuts the one row too many that was read to see whether there is a next page. */
export function pageOf<T extends Position>(
  rows: readonly T[],
  limit: number,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** Order that {@link afterCursor} relies on. */
export const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
