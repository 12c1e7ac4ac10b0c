/** The view of a pool in the Temporal UI: the decision, why, and the instances it was made on. */
import { counted } from '../../../domain/text/words.ts';
import type { InstanceView } from '../../../domain/fleet/pool/pool.ts';
import {
  detailsOfLines,
  linkText,
  markdownText,
  momentText,
  workflowUrl,
  type UiPlace,
} from '../../../domain/temporal/run-details.ts';
import { makeInstanceWorkflowId } from '../../../contracts/instance.ts';
import type { PoolReport } from '../../../contracts/pool.ts';

/** Reasons shown at most, and instances: a pool of hundreds has its table in `deckhand fleet`. */
const MAX_REASONS = 12;
const MAX_INSTANCES = 40;

/** Markdown of a report. @param place where the pages of its instances are */
export function detailsOf(report: PoolReport, instances: readonly InstanceView[], place: UiPlace): string {
  const { demand } = report;
  const rows = instances.slice(0, MAX_INSTANCES).map((i) => {
    const price = i.priceUsdPerHour === null ? '' : `$${i.priceUsdPerHour.toFixed(2)}/h`;
    const hold = report.holds[i.name];
    const name = linkText(i.name, workflowUrl(place, makeInstanceWorkflowId(i.name)));
    const out = report.quarantines?.[i.name];
    const why = hold === undefined ? out?.reason : `${hold.kind} by ${hold.by}`;
    const phase = why === undefined ? i.phase : `${i.phase} (${markdownText(why)})`;
    return `| ${name} | ${phase} | ${momentText(i.phaseSinceMs)} | ${i.inFlight ?? '?'} | ${price} |`;
  });
  const hidden = instances.length - rows.length;
  return detailsOfLines([
    `**Target ${report.target}**, the work alone asks for ${report.wish}`,
    '',
    ...report.reasons.slice(0, MAX_REASONS).map((reason) => `- ${markdownText(reason)}`),
    '',
    demand === null
      ? 'Demand is not known.'
      : `${counted(demand.openCalls, 'open call')}, ${Math.round(demand.openSeconds)} s of work, ${Math.round(demand.comingSeconds)} s coming`,
    ...(rows.length === 0
      ? []
      : ['', '| instance | phase | since | calls | price |', '|---|---|---|---|---|', ...rows]),
    ...(hidden > 0 ? ['', `… and ${hidden} more: deckhand fleet`] : []),
  ]);
}
