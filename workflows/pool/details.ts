/**
 * What the Temporal UI shows of a pool: the decision, why, and the instances it was made on.
 */
import type { InstanceView } from '../../domain/fleet/pool.ts';
import type { PoolReport } from './contract.ts';

/** Markdown of a report. Table cells hold no pipes: reasons may quote a provider. */
export function detailsOf(report: PoolReport, instances: readonly InstanceView[]): string {
  const cell = (text: string): string => text.replaceAll('|', '/');
  const { demand } = report;
  const rows = instances.map((i) => {
    const since = new Date(i.phaseSinceMs).toISOString();
    const price = i.priceUsdPerHour === null ? '' : `$${i.priceUsdPerHour.toFixed(2)}/h`;
    const hold = report.holds[i.name];
    return `| ${i.name} | ${i.phase}${hold === undefined ? '' : ` (${hold.kind} by ${cell(hold.by)})`} | ${since} | ${i.inFlight ?? '?'} | ${price} |`;
  });
  return [
    `**Target ${report.target}**, the work alone asks for ${report.wish}`,
    '',
    ...report.reasons.map((reason) => `- ${reason}`),
    '',
    demand === null
      ? 'Demand is not known.'
      : `${demand.openCalls} open calls, ${Math.round(demand.openSeconds)} s of work, ${Math.round(demand.comingSeconds)} s coming`,
    ...(rows.length === 0
      ? []
      : ['', '| instance | phase | since | calls | price |', '|---|---|---|---|---|', ...rows]),
  ].join('\n');
}
