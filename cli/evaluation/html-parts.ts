/** Parts of the pages of evaluations. `html` templates escape what comes from decks. */
import { html } from 'hono/html';
import { dataTable, type Markup } from '../../api/pages/page.ts';
import type { Outcome } from '../../domain/evaluation/judge.ts';
import { OUTCOME_NAMES } from './words.ts';

export type Piece = Markup | '';
export type Cell = Markup | string;

/** A name with its value; nothing without one. */
export const fact = (name: string, value: string): Piece =>
  value.trim() === ''
    ? ''
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`;

const COLOURS: Readonly<Record<Outcome, string>> = {
  right: 'good',
  rightly_none: 'good',
  partly: 'medium',
  not_graded: 'medium',
  missed: 'medium',
  wrong: 'weak',
  invented: 'weak',
};

/** A coloured word. */
export const outcomeBadge = (outcome: Outcome): Markup =>
  html`<span class="outcome ${COLOURS[outcome]}">${OUTCOME_NAMES[outcome]}</span>`;

/** A value, or that there is none. */
export const valueCell = (value: string | null): Markup =>
  value === null ? html`<span class="absent">none</span>` : html`${value}`;

/** A section with a table; nothing without rows. @param words leading columns that are words; the others are figures */
export function table(
  title: string,
  head: readonly string[],
  cells: readonly (readonly Cell[])[],
  words: number,
): Piece {
  if (cells.length === 0) return '';
  return html`<section>
    <h2>${title}</h2>
    ${dataTable(head, cells, words)}
  </section>`;
}
