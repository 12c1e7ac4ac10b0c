/**
 * The line that the Temporal UI shows for every activity whose caller gives none. One entry per activity, checked by the compiler: an
 * activity that is added without one does not build.
 */
import type { CostReportActivities } from '../../activities/costs/report/activities.ts';
import type { LedgerActivities } from '../../activities/costs/ledger/activities.ts';
import type { AlertActivities } from '../../activities/alerts/activities.ts';
import type { ConvertActivities } from '../../activities/convert/activities.ts';
import type { SecondReadingActivities } from '../../activities/convert/second-reading.ts';
import type { DeckActivities } from '../../activities/decks/activities.ts';
import type { DeletionActivities } from '../../activities/deletion/activities.ts';
import type { HealthActivities } from '../../activities/health/contract.ts';
import type { EndpointActivities } from '../../activities/fleet/endpoint/activities.ts';
import type { InstanceActivities } from '../../activities/fleet/instance/contract.ts';
import type { PoolActivities } from '../../activities/fleet/pool/activities.ts';
import type { ReaperActivities } from '../../activities/fleet/reaper/activities.ts';
import type { GatewayActivities, HostActivities } from '../../activities/gateway/activities.ts';
import type { NotificationActivities } from '../../activities/webhooks/activities.ts';
import { pagesText } from '../../domain/temporal/run-details.ts';
import type { HostDiagnosisActivities } from '../../contracts/diagnosis.ts';
import type { HostHealthActivities } from '../../contracts/health.ts';

/** Everything that a workflow here can schedule but model calls: a run gives each of them its own line (`callSummary`). */
type Activities = AlertActivities &
  CostReportActivities &
  ConvertActivities &
  DeckActivities &
  DeletionActivities &
  EndpointActivities &
  HealthActivities &
  HostDiagnosisActivities &
  HostHealthActivities &
  InstanceActivities &
  LedgerActivities &
  PoolActivities &
  SecondReadingActivities &
  ReaperActivities &
  GatewayActivities &
  HostActivities &
  NotificationActivities;

type Summaries = { readonly [A in keyof Activities]: (...args: Parameters<Activities[A]>) => string };

export const ACTIVITY_SUMMARIES: Summaries = {
  // Accounting.
  chooseReportPeriod: ({ ask }) => (ask.what === 'last' ? `choose the last period: ${ask.kind}` : 'choose the period'),
  storeCostReport: ({ period, scope }) => `${period.name} of ${scope}`,
  startReportDeliveries: () => 'send webhooks',
  settleLedger: () => 'settle ledger',
  // Alerts.
  judgeAlertRules: () => 'evaluate the alert rules; raise and clear alerts',
  startAlertDeliveries: () => 'send webhooks',
  // Decks: convert.
  probeDeck: () => 'count the pages and look for hazards',
  convertWindow: ({ pages }) => `render ${pagesText(pages)}`,
  readQuotesAgain: () => 'read quotes again in the picture',
  // Decks: decide and store.
  beginAnalysis: () => 'check that nothing needed is missing',
  announceWork: () => 'announce the missing work, so that GPUs boot now',
  setStage: ({ stage }) => `enter stage ${stage}`,
  planSlides: ({ pages }) => `plan the calls for ${pagesText(pages)}`,
  planCondensation: () => 'check whether the deck fits the context window',
  planExtractions: ({ fields }) => `plan the extraction of ${fields.join(', ')}`,
  planClassification: () => 'plan the choice of the sector',
  planAnswers: () => 'choose the template and plan its questions',
  planScores: () => 'plan the scores of what was answered',
  planSpecialised: ({ kinds }) => `plan the specialised readings: ${kinds.join(', ')}`,
  planRetry: ({ slide, questionId }) =>
    `plan ${slide === null ? `question ${questionId ?? ''}` : `slide ${slide}`} again`,
  replanCall: () => 'plan a call again: its input changed',
  steerAnalysis: ({ paused, priority }) => (paused ? 'pause the run' : `resume the run at priority ${priority}`),
  startedCalls: () => 'read which calls have started',
  leaveQuotesUnread: () => 'note why quotes were not read again',
  whatItWaitsFor: () => 'read what the run waits for',
  recordCallFailure: ({ code }) => `record a gap: ${code}`,
  explainUnreadable: () => 'find out why no page could be drawn',
  storeRollUp: () => 'compute chapter and overall scores',
  finishAnalysis: ({ end }) => `store the result: ${end.kind}`,
  // Deletion.
  markDeck: () => 'mark the deck: no new analysis can start',
  endRuns: ({ terminate }) => (terminate ? 'terminate what has not ended' : 'cancel its runs'),
  removeAnalyses: () => 'remove analyses and their histories',
  removeDeckFiles: () => 'remove the PDF, the images and the row',
  findRuns: ({ remove }) => (remove ? 'delete remaining workflow histories' : 'look for remaining workflow histories'),
  // Notification.
  sendWebhook: ({ tries }) => `try ${tries}`,
  recordTry: ({ outcome }) => `record: ${outcome.state}`,
  // Instances.
  rankOffers: ({ pool }) => `rank the offers of ${pool.selector}`,
  createInstance: ({ intent }) => `create ${intent.hostname} on ${intent.offer}`,
  findInstances: ({ hostnames }) => `look for ${hostnames.join(', ')}`,
  lookAtInstance: ({ providerId }) => `look at ${providerId}`,
  rememberOutcome: ({ offer, error }) =>
    `record the outcome of ${offer}: ${error === null ? 'created' : error.errorClass}`,
  shutdownInstance: ({ providerId }) => `shut ${providerId} down`,
  startInstance: ({ providerId }) => `start ${providerId}`,
  changeInstanceType: ({ providerId, instanceType }) => `make ${providerId} a ${instanceType}`,
  hibernateInstance: ({ providerId }) => `hibernate ${providerId}`,
  deleteInstance: ({ providerId, deleteVolumeIds }) =>
    `delete ${providerId}${deleteVolumeIds.length === 0 ? ', keeping its disks' : ' with its disks'}`,
  deleteVolume: ({ volumeId }) => `delete disk ${volumeId}`,
  countTransitions: ({ instance }) => `read the history of ${instance}`,
  storeTransitions: ({ row }) => row.phase,
  alertOperator: ({ text }) => `tell an operator: ${text}`,
  recheckDemand: ({ instance }) => `re-check demand for ${instance}`,
  serveInstance: ({ instance }) => `serve ${instance}`,
  restartModelServer: () => 'restart the model server',
  rebootMachine: () => 'reboot the machine',
  cutCalls: () => 'end the calls in flight: they are repeated elsewhere',
  // Health.
  tellHealth: ({ instance, standing }) =>
    standing === null ? `end the health loop of ${instance}` : `tell the health loop of ${instance}: ${standing.mode}`,
  storeHealth: ({ health }) => `${health.level}: ${health.reason}`,
  measureHealth: () => 'look at driver, kernel log, models, calls and disk',
  probeHealth: ({ model }) => `have ${model ?? 'a model'} generate a few words`,
  diagnoseGpu: () => 'look at everything of its GPU and model server',
  // Pools.
  registerPool: ({ setup }) => `register pool ${setup.config.name}`,
  lookAtEndpoint: ({ pool }) => `deployment of ${pool.name}`,
  changeEndpoint: ({ pool, command }) => `${command.kind} the deployment of ${pool.name}`,
  foreseeArrivals: ({ setup }) => `when decks are expected in ${setup.config.name}`,
  observePool: ({ pool }) => `look at the work and instances of ${pool}`,
  storePoolDecision: ({ target, reasons }) => `target ${target}: ${reasons[0] ?? 'no reason given'}`,
  // Reaper.
  surveyResources: ({ dryRun }) => `list what is at the provider${dryRun ? ' (dry run)' : ''}`,
  removeResource: ({ resource }) => `remove ${resource.kind} ${resource.name}`,
  endLostInstance: ({ name, reason }) => `end the row of ${name}: ${reason}`,
};

/** The line for an activity by its name, of the arguments that it is scheduled with; undefined for one that is not ours. */
export function summaryOfActivity(name: string, args: readonly unknown[]): string | undefined {
  const summaries: Readonly<Record<string, ((...args: never[]) => string) | undefined>> = ACTIVITY_SUMMARIES;
  return summaries[name]?.(...(args as never[]));
}
