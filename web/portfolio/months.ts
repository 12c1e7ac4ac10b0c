/** Months of a chart without a hole between them. */

/** Figures of one month, such as `2026-03`. */
export interface MonthFigures {
  readonly month: string;
  readonly decks: number;
  readonly meanScore: number | null;
}

/** The month after another one. */
function nextMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** The months from the first to the last of them, in order; those without decks have none. */
export function withoutHoles(months: readonly MonthFigures[]): MonthFigures[] {
  const [first, last] = [months[0]?.month, months.at(-1)?.month];
  if (first === undefined || last === undefined) return [];
  const known = new Map(months.map((each) => [each.month, each]));
  const all: MonthFigures[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) {
    all.push(known.get(month) ?? { month, decks: 0, meanScore: null });
  }
  return all;
}

/** The first and the last day of a month, as the list filters by them. */
export function daysOf(month: string): { readonly since: string; readonly until: string } {
  const last = new Date(Date.parse(`${nextMonth(month)}-01T00:00:00Z`) - 1);
  return { since: `${month}-01`, until: last.toISOString().slice(0, 10) };
}
