/**
 * Selection for people: tiers, capacity and plan as tables of plain text.
 */
import type { Capacity, PlanDocument, TierList } from '../../api/client.ts';

type Cell = string | number;

/** Columns as wide as their widest cell; numbers and amounts to the right; the last column as long as it is. */
function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const columns = head.map((title, i) => {
    const cells = rows.map((row) => row[i] ?? '');
    return {
      width: Math.max(title.length, ...cells.map((cell) => String(cell).length)),
      isNumeric: cells.some((cell) => typeof cell === 'number' || cell.startsWith('$')),
    };
  });
  const line = (cells: readonly Cell[]): string =>
    columns
      .map(({ width, isNumeric }, i) => {
        const text = String(cells[i] ?? '');
        if (i === columns.length - 1) return text;
        return isNumeric ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}

const perHour = (value: number | null): string => (value === null ? '-' : `$${value.toFixed(3)}`);
const perSlide = (value: number | null): string => (value === null ? '-' : `$${value.toFixed(5)}`);
const places = (locations: readonly string[]): string => (locations.length === 0 ? '-' : locations.join(' '));

/** Every type by tier, with prices and where it is available now. */
export function tierTable(list: TierList): string {
  const rowsOf = (tier: string, types: TierList['others']): Cell[][] =>
    types.length === 0
      ? [[tier, 'not sold', '', '', '', '', '-']]
      : types.map((t) => [
          tier,
          t.instanceType,
          `${t.vramGib} GiB`,
          perHour(t.usdPerHour),
          perHour(t.spotUsdPerHour),
          perSlide(t.usdPerSlide),
          t.spotLocations.length === 0
            ? places(t.locations)
            : `${places(t.locations)} (spot ${places(t.spotLocations)})`,
        ]);
  const rows = [
    ...list.items.flatMap((i) => rowsOf(i.tier, i.types)),
    ...(list.others.length === 0 ? [] : rowsOf('(none)', list.others)),
  ];
  return table(['TIER', 'TYPE', 'MEMORY', '$/H', 'SPOT $/H', '$/SLIDE', 'AVAILABLE'], rows);
}

/** What is available. */
export function capacityTable({ items }: Capacity): string {
  return table(
    ['TYPE', 'LOCATION', 'MARKET', 'TIER', '$/H'],
    items.map((i) => [i.instanceType, i.location, i.market, i.tier ?? '-', perHour(i.usdPerHour)]),
  );
}

/** The ladder. Without `verbose` offers that the selector does not take are left out. */
export function planTable(plan: PlanDocument, verbose: boolean): string {
  const shown = plan.offers.filter((o) => verbose || o.refusal !== 'not_selected');
  const rows = shown.map((o) => [
    o.rank ?? '-',
    o.instanceType,
    o.location,
    o.market,
    perHour(o.usdPerHour),
    perSlide(o.usdPerSlide),
    o.fits ? 'yes' : 'no',
    o.available === null ? '?' : o.available ? 'yes' : 'no',
    o.nextTryAt === null ? '-' : o.nextTryAt.slice(11, 19),
    o.reason,
  ]);
  const head = ['#', 'TYPE', 'LOCATION', 'MARKET', '$/H', '$/SLIDE', 'FITS', 'AVAILABLE', 'NEXT TRY', 'WHY'];
  const models = plan.models.length === 0 ? 'no models' : plan.models.join(' and ');
  const need = `${models} with ${plan.slots} parallel calls need ${plan.neededVramGib.toFixed(1)} GiB of graphics memory.`;
  const hidden = plan.offers.length - shown.length;
  const rest =
    hidden === 0 ? [] : [`${hidden} other offers are not selected by ${plan.selector} (--verbose lists them).`];
  const best = plan.offers[0];
  const verdict =
    best?.rank === 1
      ? `Best now: ${best.instanceType} in ${best.location} (${best.market}) at ${perHour(best.usdPerHour)} an hour.`
      : plan.nextTryAt === null
        ? 'Nothing can be bought, and waiting will not change that.'
        : `Nothing can be bought now. Next try at ${plan.nextTryAt}.`;
  return [...(rows.length === 0 ? [] : [table(head, rows), '']), need, ...rest, verdict].join('\n');
}
