/** The words and numbers of cost reports as people read them, the same on pages, in Markdown and in the terminal. */
import { Decimal } from 'decimal.js';
import { counted, durationWords, usdText } from '../../text/words.ts';
import type { CostReport } from './document.ts';

/** `12.3 %`; a dash where there is no whole. */
export const shareText = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);

/** `3.25 h`. */
export const hoursText = (hours: number): string => `${hours.toFixed(2)} h`;

/** `$1.20 more than in 2026-02 ($3.40)`. */
export function changeText({ previous }: Pick<CostReport, 'previous'>): string {
  const change = new Decimal(previous.changeUsd);
  const before = `${previous.period} (${usdText(previous.totalUsd)})`;
  if (change.isZero()) return `as much as in ${before}`;
  const share = previous.changeShare === null ? '' : `, ${shareText(Math.abs(previous.changeShare))}`;
  return `${usdText(change.abs().toFixed())}${share} ${change.isNegative() ? 'less' : 'more'} than in ${before}`;
}

/** What the money went to, in a sentence; null where nothing was spent. */
export function sharesText({ shares: { busy, idle, boot, load } }: Pick<CostReport, 'shares'>): string | null {
  if (busy === null) return null;
  return `Busy ${shareText(busy)}, idle ${shareText(idle)}, booting ${shareText(boot)}, loading models ${shareText(load)}.`;
}

/** What spot cost and saved, in a sentence; null where there was none. */
export function spotText({ spot }: Pick<CostReport, 'spot'>): string | null {
  const { usd, savedUsd, onDemandUsd, evictions, netSavedUsd, netSavedShare } = spot;
  if (usd === '0' && evictions.count === 0) return null;
  const spent = `Spot machines cost ${usdText(usd)} instead of ${usdText(onDemandUsd)} on demand and saved ${usdText(savedUsd)}`;
  const share = netSavedShare === null ? '' : ` (${shareText(Math.abs(netSavedShare))})`;
  if (evictions.count === 0) return `${spent}${share}; none was taken back.`;
  const lost = `${evictions.count} ${evictions.count === 1 ? 'eviction' : 'evictions'} cost ${usdText(evictions.usd)} (boots ${usdText(evictions.bootUsd)}, repeated calls ${usdText(evictions.repeatedUsd)})`;
  const net = new Decimal(netSavedUsd);
  const verdict = `${usdText(net.abs().toFixed())}${share} ${net.isNegative() ? 'more than on demand' : 'was saved'} in all`;
  return `${spent}. ${lost}: ${verdict}.`;
}

/** What there is to know before the numbers are believed; null for a report that is complete. */
export function cautionText({ complete, unsettledRentals, until, madeAt }: CostReport): string | null {
  if (complete) return null;
  if (until > madeAt) return 'The period is not over yet: these are the costs so far.';
  const rentals = unsettledRentals === 1 ? '1 rental is' : `${unsettledRentals} rentals are`;
  return `${rentals} not settled to the end of the period: what is missing is added when the report is made again.`;
}

/** What a month will have cost, in a sentence; null where nothing is known to judge by. */
export function forecastText({ forecast }: Pick<CostReport, 'forecast'>): string | null {
  if (forecast === null || forecast.forecastUsd === null) return null;
  const { month, spentUsd, forecastUsd, basis, basisDays } = forecast;
  switch (basis) {
    case 'complete':
      return `${month} has cost ${usdText(spentUsd)}.`;
    case 'weekdays':
      return `${month} will have cost about ${usdText(forecastUsd)}: ${usdText(spentUsd)} so far, the rest as the weekdays of the last ${basisDays} days.`;
    case 'mean':
      return `${month} will have cost about ${usdText(forecastUsd)}: ${usdText(spentUsd)} so far, the rest at the mean of the last ${basisDays} days.`;
    case 'none':
      return null;
  }
}

/** What warming instances ahead of decks came to in a pool, in a sentence. */
export function prewarmText(line: CostReport['prewarm'][number]): string {
  const { pool, warmed, hits, misses, missUsd, idleUsd, savedSec, savedUsd, regretUsd } = line;
  const spent = `${usdText(missUsd)} for nothing and ${usdText(idleUsd)} until the deck came`;
  return `Pre-warm of ${pool}: ${counted(warmed, 'time')}, ${counted(hits, 'hit')}, ${counted(misses, 'miss', 'misses')}; it saved ${durationWords(savedSec * 1000)} of waiting (${usdText(savedUsd)}) and cost ${spent}. A clairvoyant would have gained ${usdText(regretUsd)} more.`;
}

/**
 * What renting only when there is work has saved, in a sentence; null where no machine was rented. While rentals are not settled nothing is
 * said to be saved: their costs would be missing on one side.
 */
export function alwaysOnText({
  alwaysOn,
  unsettledRentals,
}: Pick<CostReport, 'alwaysOn' | 'unsettledRentals'>): string | null {
  if (alwaysOn === null || alwaysOn.pools.length === 0) return null;
  if (unsettledRentals > 0)
    return `The same machines running all the time would have cost ${usdText(alwaysOn.usd)}; what was saved is known when all rentals are settled.`;
  const saved = new Decimal(alwaysOn.savedUsd);
  const share = shareText(alwaysOn.savedShare === null ? null : Math.abs(alwaysOn.savedShare));
  const rented = alwaysOn.pools.map(({ pool, machines }) => `${pool} ${machines}`).join(', ');
  const verdict = saved.isNegative() ? 'more than' : 'less than';
  return `${usdText(saved.abs().toFixed())} (${share}) ${verdict} the same machines running all the time: ${usdText(alwaysOn.usd)} (most at once: ${rented}).`;
}

/**
 * The balance against the ledger, in sentences whose amounts add up as they stand: all with the same places, what was paid before the time
 * taken off, and a difference named also where it is small enough to agree. Null where there is nothing to compare.
 */
export function balanceText(r: CostReport['reconciliation'][number]): string | null {
  const { fellUsd, topUpsUsd, ledgerUsd, prepaidUsd, differenceUsd, toleranceUsd } = r;
  if (fellUsd === null || ledgerUsd === null || prepaidUsd === null || differenceUsd === null || toleranceUsd === null)
    return null;
  const prepaid = new Decimal(prepaidUsd);
  const expected = new Decimal(ledgerUsd).plus(prepaid);
  const ahead = prepaid.isNegative()
    ? `, less ${exactText(prepaid.abs())} of it that had been paid in advance before`
    : ` and ${exactText(prepaid)} more are paid in advance`;
  const together = prepaid.isZero() ? '' : `${ahead}: ${exactText(expected)} in all`;
  const fell = new Decimal(fellUsd);
  const moved = `The balance ${fell.isNegative() ? 'rose' : 'fell'} by ${exactText(fell.abs())}`;
  const topUps = topUpsUsd === null || new Decimal(topUpsUsd).isZero() ? '' : ` (${exactText(topUpsUsd)} were paid in)`;
  const difference = exactText(new Decimal(differenceUsd).abs());
  const verdict =
    r.state === 'agrees'
      ? `They agree: the difference of ${difference} is within ${exactText(toleranceUsd)}.`
      : `They differ by ${difference}. ${r.note ?? ''}`.trimEnd();
  return `${moved}${topUps}. The ledger has ${exactText(ledgerUsd)}${together}. ${verdict}`;
}

/** Amounts that are added up side by side have the same places. */
function exactText(usd: Decimal | string): string {
  const amount = new Decimal(usd);
  return `${amount.isNegative() && !amount.isZero() ? '−' : ''}$${amount.abs().toFixed(4)}`;
}

/** What time without a model call is called beside the tasks. */
export const NO_TASK = 'no call (booting, idle, storage …)';

/** Where an unusual day's costs come from. */
export function causeText({
  pool,
  kind,
  task,
  usd,
  usualUsd,
}: CostReport['anomalies'][number]['causes'][number]): string {
  const what = [kind, ...(task === null ? [] : [task]), ...(pool === null ? [] : [`in ${pool}`])].join(' ');
  return `${what} ${usdText(usd)} (usually ${usdText(usualUsd)})`;
}

/** `datacrunch / gpu / 1H100.80S.30V / spot`; disks have no type. */
export function machineText({ provider, pool, instanceType, market }: CostReport['machines'][number]): string {
  return [provider, pool ?? 'no owner', instanceType ?? 'disks', market].filter((part) => part !== null).join(' / ');
}
