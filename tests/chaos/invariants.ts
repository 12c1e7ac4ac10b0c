/**
 * What holds after every chaos run, whatever went wrong in it. Each check gives sentences about what does not hold; none is the aim.
 */
import { readdirSync } from 'node:fs';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import { DEFAULT_PRIORITY } from '../../domain/decks/priority.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import type { Fault } from './faults.ts';
import { insist } from './insist.ts';
import { countCalls, describeRepeats, type CallCount } from './reader-calls.ts';
import { judgeHold, judgePriority, judgeRelease, judgeReplay } from './steering-verdict.ts';
import type { EndedWork, StartedReview } from './work.ts';
import { billedMachines, MOST_BEGUN, type ChaosWorld } from './world.ts';

const QUESTIONS = 34;
/** Of a generated deck of four slides and more, however little it states: fewer mean that its text did not reach the reader. */
const ANSWERED_AT_LEAST = 8;

/** Nothing that costs is left over: every machine sleeps, no create is open, and every disk belongs to a machine that sleeps. */
export async function untilAtRest(world: ChaosWorld): Promise<void> {
  const { db } = world.rig;
  await insist(
    'sleep of every machine',
    async () => ({
      billed: billedMachines(world).map(({ hostname, phase }) => `${hostname} ${phase}`),
      awake: (await db.fleetInstance.findMany({ where: { endedAt: null, phase: { not: 'suspended' } } })).map(
        ({ name, phase, reason }) => `${name} ${phase}: ${reason}`,
      ),
      intents: await db.createIntent.count({ where: { state: { in: ['creating', 'unknown'] } } }),
      // Leftovers are purged by a machine that sleeps, so that its sleep alone does not say that they are gone.
      disks: await disksWithoutOwner(world),
    }),
    ({ billed, awake, intents, disks }) => billed.length + awake.length + intents + disks.length === 0,
  );
}

async function disksWithoutOwner({ rig }: ChaosWorld): Promise<string[]> {
  const rows = await rig.db.fleetInstance.findMany({ where: { endedAt: null }, select: { osVolumeId: true } });
  const owned = new Set(rows.map((row) => row.osVolumeId));
  return rig.provider.core
    .volumes()
    .filter((volume) => volume.status !== 'purged' && !owned.has(volume.id))
    .map((volume) => `${volume.name} ${volume.status}`);
}

/** Every accepted review is complete. */
export async function checkReviews(world: ChaosWorld, reviews: readonly StartedReview[]): Promise<string[]> {
  const found: string[] = [];
  for (const { analysisId, slides } of reviews) {
    const report = await insist(`report of ${analysisId}`, () => world.rig.client.report(analysisId));
    found.push(...checkReport(report, slides).map((what) => `${analysisId}: ${what}`));
    const html = await insist(`page of ${analysisId}`, () => world.rig.client.reportText(analysisId, 'html'));
    if (!html.includes('</html>')) found.push(`${analysisId}: its page is cut off`);
  }
  return found;
}

/** States of a question that was asked. */
const ANSWERED: ReadonlySet<string> = new Set(['found', 'not_found', 'not_supported']);

function checkReport(report: AnalysisReport, slides: number): string[] {
  const { status, gaps, failure } = report;
  const found: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds || found.push(what));
  expect(status === 'completed', `ended ${status} ${JSON.stringify(failure)} with gaps ${JSON.stringify(gaps)}`);
  const described = report.slides.filter((slide) => slide.legible === true && slide.hasIssues !== null);
  expect(described.length === slides, `${described.length} of ${slides} slides described`);
  const questions = report.chapters.flatMap((chapter) => chapter.questions);
  const scored = questions.filter(({ status, state }) => status === 'scored' && state !== null && ANSWERED.has(state));
  expect(questions.length === QUESTIONS, `${questions.length} questions`);
  expect(scored.length === QUESTIONS, `${scored.length} questions asked and scored`);
  const answered = questions.filter(({ state, answer }) => state === 'found' && answer !== null);
  expect(answered.length >= ANSWERED_AT_LEAST, `${answered.length} questions answered`);
  expect(report.overall.coverage === 1 && report.overall.score !== null, 'no overall score over everything');
  const values = report.extractions.filter((value) => value.status === 'found' || value.status === 'not_found');
  expect(values.length === 4, `${values.length} values looked for`);
  expect(report.sector.status === 'classified', `its sector is ${report.sector.status}`);
  expect(
    report.specialised.every((reading) => reading.status === 'analysed'),
    `specialised readings: ${report.specialised.map((r) => r.status).join(', ')}`,
  );
  return found;
}

/** Reviews stand as they were last asked to, and were held when they said so. */
export async function checkSteering(
  { rig, reader }: ChaosWorld,
  reviews: readonly EndedWork[],
  { alone, startedMs }: { readonly alone: boolean; readonly startedMs: number },
): Promise<string[]> {
  const calls = reader.calls().filter((call) => call.acceptedAtMs >= startedMs && call.task in MODEL_TASKS);
  const found = reviews.map(async ({ analysisId, steered }) => {
    const where = { analysisId };
    const [row, last] = await insist(`row of ${analysisId}`, () =>
      Promise.all([
        rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } }),
        rig.db.modelCall.findFirst({ where, orderBy: { finishedAt: { sort: 'desc', nulls: 'last' } } }),
      ]),
    );
    const ended = { ...row, lastCallAtMs: last?.finishedAt?.getTime() ?? null };
    // Where several reviews ask, a question cannot be told to be of this one.
    const hold = alone ? (steered?.hold ?? null) : null;
    return [
      ...judgeRelease(ended),
      ...judgePriority(ended, steered?.given ?? null, DEFAULT_PRIORITY),
      ...(hold === null ? [] : judgeHold(calls, hold, MOST_BEGUN)),
    ].map((what) => `${analysisId} ${what}`);
  });
  return (await Promise.all(found)).flat();
}

/** Replays are linked to what they replay, ask no model and come to the same. */
export async function checkReplays({ rig }: ChaosWorld, reviews: readonly EndedWork[]): Promise<string[]> {
  const found: string[] = [];
  for (const { analysisId: originId, replayId } of reviews) {
    if (replayId === null) continue;
    const facts = await insist(`facts of replay ${replayId}`, async () => {
      const byId = async (id: string) => ({
        row: await rig.db.analysis.findUniqueOrThrow({ where: { id } }),
        calls: await rig.db.modelCall.findMany({ where: { analysisId: id } }),
      });
      const replays = await rig.db.analysis.count({ where: { replayOfId: originId } });
      return { replays, origin: await byId(originId), replay: await byId(replayId) };
    });
    found.push(...judgeReplay(facts).map((what) => `${replayId} ${what}`));
  }
  return found;
}

/** Model calls: none left open, none computed twice beyond what the faults had in flight. */
export async function checkCalls(
  { rig, reader }: ChaosWorld,
  reviews: readonly StartedReview[],
  faults: readonly Fault[],
  sinceMs: number,
): Promise<{ readonly found: string[]; readonly count: CallCount; readonly allowed: number }> {
  const found: string[] = [];
  const ids = reviews.map((review) => review.analysisId);
  const calls = await rig.db.modelCall.findMany({ where: { analysisId: { in: ids } } });
  const open = calls.filter((call) => call.state !== 'stored');
  if (open.length > 0)
    found.push(`${open.length} model calls are not stored: ${open.map((c) => `${c.task} ${c.state}`).join(', ')}`);
  const keys = new Set(calls.map((call) => call.contentKey));
  const results = await rig.db.modelResult.count({ where: { contentKey: { in: [...keys] } } });
  if (results !== keys.size) found.push(`${results} results for ${keys.size} different calls`);

  // Two decks of a run that ask the same at the same time both ask the model.
  const asked = calls.filter((call) => !call.cached);
  const shared = asked.length - new Set(asked.map((call) => call.contentKey)).size;
  const seen = reader.calls().filter((call) => call.acceptedAtMs >= sinceMs && call.task in MODEL_TASKS);
  const count = countCalls(seen);
  const allowed = faults.reduce((sum, fault) => sum + fault.callsAtRisk, shared);
  if (count.repeated > allowed) {
    const repeats = describeRepeats(seen, sinceMs).join('; ');
    found.push(
      `${count.repeated} model calls repeated, at most ${allowed} were in flight at faults or shared by decks: ${repeats}`,
    );
  }
  return { found, count, allowed };
}

/** No run of deck, pool or instance broke, and no analysis of before is open. */
export async function checkWorkflows({ rig }: ChaosWorld, since: Date): Promise<string[]> {
  const found: string[] = [];
  const query = `ExecutionStatus IN ('Failed','Terminated','TimedOut') AND WorkflowType != 'reapRound' AND CloseTime >= '${since.toISOString()}'`;
  for await (const run of rig.temporal.workflow.list({ query })) found.push(`${run.workflowId} ${run.status.name}`);
  const open = await rig.db.analysis.count({ where: { status: { in: ['queued', 'running'] } } });
  if (open > 0) found.push(`${open} analyses are still open`);
  const planned = await rig.db.modelCall.count({ where: { state: 'planned' } });
  if (planned > 0) found.push(`${planned} model calls are still planned`);
  return found;
}

/** Every review that ended is told of once: one delivery, one id, repeated only where an answer was lost. */
export async function checkDeliveries(
  { rig, receiver }: ChaosWorld,
  reviews: readonly StartedReview[],
  faults: readonly Fault[],
): Promise<string[]> {
  const ids = reviews.map((review) => review.analysisId);
  const rows = await insist(
    'delivery of every notification',
    () => rig.db.webhookDelivery.findMany({ where: { analysisId: { in: ids } } }),
    (found) => found.length >= ids.length && found.every((row) => row.state === 'delivered'),
  );
  const again = faults.filter((fault) => TELLS_AGAIN.has(fault.kind)).length;
  return ids.flatMap((analysisId) => {
    const own = rows.filter((row) => row.analysisId === analysisId);
    const told = receiver.received.filter(({ body }) => body.includes(analysisId));
    const names = new Set(told.map(({ headers }) => headers['webhook-id']));
    const found: string[] = [];
    if (own.length !== 1) found.push(`${analysisId} has ${own.length} deliveries`);
    if (names.size !== 1) found.push(`${analysisId} was told of under ${names.size} ids`);
    if (told.length > 1 + again) found.push(`${analysisId} was told of ${told.length} times`);
    return found;
  });
}

/** The process may be killed before it notes that a notification was taken. */
const TELLS_AGAIN: ReadonlySet<Fault['kind']> = new Set(['kill control', 'kill temporal', 'kill postgres']);

/** Nothing of a deleted deck is left among the files. */
export function checkDeleted({ rig }: ChaosWorld, deckId: string | null): string[] {
  if (deckId === null) return [];
  return readdirSync(rig.config.blobDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes(deckId))
    .map((file) => `${file} is left of a deleted deck`);
}
