/**
 * Rows for tests: each function writes one row with values that fit nearly everywhere, and gives it back. A test names only the values it is
 * about; a parent it does not name is made as well.
 */
import { randomUUID } from 'node:crypto';
import { pageOfText } from '../domain/pages/page-of-text.ts';
import { RENDER_KEY } from '../domain/decks/render-key.ts';
import { offerKey } from '../domain/fleet/selection/offer.ts';
import type {
  Analysis,
  CreateIntent,
  Deck,
  FleetInstance,
  FleetPool,
  Gap,
  InstanceServing,
  LedgerEntry,
  ModelCall,
  ModelResult,
  Prisma,
  PrismaClient,
  ReapCandidate,
  Rental,
  Slide,
  Webhook,
} from '../generated/prisma/client.ts';
import { makeDeckWorkflowId, type DeckWorkflowInput } from '../contracts/decks.ts';

/** Whose rows they are unless a test says otherwise: the seed's tenant. */
export const TENANT = 'default';
/** When everything is looked at. */
export const NOW = new Date(Date.UTC(2026, 10, 21, 12));
/** So many seconds before {@link NOW}. */
export const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

/** Values of a deck; `drawn` is how many of its pages are drawn already. */
type DeckValues = Partial<Prisma.DeckUncheckedCreateInput> & { readonly drawn?: number };

/** A deck whose bytes are not stored. */
export async function aDeck(db: PrismaClient, { drawn = 0, ...values }: DeckValues = {}): Promise<Deck> {
  const id = values.id ?? randomUUID();
  const deck = await db.deck.create({
    data: { id, tenantId: TENANT, sha256: id, fileName: 'deck.pdf', sizeBytes: 1, hazards: [], ...values },
  });
  for (let number = 1; number <= drawn; number += 1) {
    await aSlide(db, { deckId: id, tenantId: deck.tenantId, number });
  }
  return deck;
}

/** A page that was drawn with today's parameters. */
export async function aSlide(db: PrismaClient, values: Partial<Prisma.SlideUncheckedCreateInput> = {}): Promise<Slide> {
  const { tenantId = TENANT, number = 1 } = values;
  const deckId = values.deckId ?? (await aDeck(db, { tenantId })).id;
  const text = values.text ?? `Slide ${number}`;
  return db.slide.create({
    data: {
      id: randomUUID(),
      renderKey: RENDER_KEY,
      text,
      layout: pageOfText(text),
      modelBlobKey: `blob-${number}`,
      modelSha256: `sha-${number}`,
      ...values,
      tenantId,
      deckId,
      number,
    },
  });
}

/** Values of an analysis; `deck` is the deck to make for it when none is named. */
type AnalysisValues = Partial<Prisma.AnalysisUncheckedCreateInput> & { readonly deck?: DeckValues };

/** An analysis that runs and is at its slides. */
export async function anAnalysis(db: PrismaClient, { deck, ...values }: AnalysisValues = {}): Promise<Analysis> {
  const { id = randomUUID(), tenantId = TENANT } = values;
  const deckId = values.deckId ?? (await aDeck(db, { tenantId, ...deck })).id;
  return db.analysis.create({
    data: {
      language: 'en',
      modelProfile: 'reader',
      workflowId: makeDeckWorkflowId(id),
      status: 'running',
      stage: 'slides',
      ...values,
      id,
      tenantId,
      deckId,
    },
  });
}

/** The input of the run of {@link anAnalysis}, for a test that starts the run itself. */
export const deckInput = (
  { id, tenantId, deckId }: Pick<Analysis, 'id' | 'tenantId' | 'deckId'>,
  changes: Partial<DeckWorkflowInput> = {},
): DeckWorkflowInput => ({
  tenantId,
  analysisId: id,
  deckId,
  language: 'en',
  profile: 'reader',
  priority: 3,
  requestedTemplate: null,
  taskType: null,
  ...changes,
});

/** The columns of a call, which is planned. */
const modelCall = (analysisId: string, values: Partial<Prisma.ModelCallCreateManyInput>) => ({
  id: randomUUID(),
  tenantId: TENANT,
  analysisId,
  contentKey: randomUUID(),
  task: 'describe_slide',
  gpuClass: 'gpu-visual',
  priority: 3,
  expectedSeconds: 15,
  ...values,
});

/** A planned call about a slide. */
export async function aModelCall(
  db: PrismaClient,
  values: Partial<Prisma.ModelCallUncheckedCreateInput> = {},
): Promise<ModelCall> {
  const analysisId = values.analysisId ?? (await anAnalysis(db, { tenantId: values.tenantId ?? TENANT })).id;
  return db.modelCall.create({ data: modelCall(analysisId, values) });
}

/** So many planned calls of an analysis, one per slide, which came a minute before {@link NOW}. */
export async function modelCalls(
  db: PrismaClient,
  analysis: Analysis,
  count: number,
  values: Partial<Prisma.ModelCallCreateManyInput> = {},
): Promise<void> {
  const call = (slideNumber: number) => modelCall(analysis.id, { slideNumber, createdAt: ago(60), ...values });
  await db.modelCall.createMany({ data: Array.from({ length: count }, (_, index) => call(index + 1)) });
}

/** Something that an analysis misses: what was to be read of slide 1. */
export async function aGap(
  db: PrismaClient,
  values: Partial<Prisma.GapUncheckedCreateInput> & Pick<Prisma.GapUncheckedCreateInput, 'analysisId'>,
): Promise<Gap> {
  const code = 'slide_illegible';
  return db.gap.create({
    data: {
      id: randomUUID(),
      tenantId: TENANT,
      item: 'slide/1/description',
      stage: 'slides',
      slideNumber: 1,
      code,
      message: code,
      ...values,
    },
  });
}

/** The columns of a pool for slides. */
const pool = (values: Partial<Prisma.FleetPoolUncheckedCreateInput>) => ({
  name: 'visual',
  provider: 'datacrunch',
  classes: ['gpu-visual'],
  selector: 'h100-or-less',
  min: 0,
  max: 3,
  reasons: [],
  ...values,
});

/** A pool for slides. */
export const aPool = (
  db: PrismaClient,
  values: Partial<Prisma.FleetPoolUncheckedCreateInput> = {},
): Promise<FleetPool> => db.fleetPool.create({ data: pool(values) });

/** An instance that is ready, and its pool if that is not there. */
export async function anInstance(
  db: PrismaClient,
  values: Partial<Prisma.FleetInstanceUncheckedCreateInput> = {},
): Promise<FleetInstance> {
  const { pool: name = 'visual', provider = 'datacrunch' } = values;
  await db.fleetPool.createMany({ data: pool({ name, provider }), skipDuplicates: true });
  return db.fleetInstance.create({
    data: {
      name: 'visual-1',
      phase: 'ready',
      phaseSince: ago(100),
      reason: 'test',
      ...values,
      pool: name,
      provider,
    },
  });
}

/** What the gateway of an instance says: it serves and waits for calls. */
export const aServing = (
  db: PrismaClient,
  values: Partial<Prisma.InstanceServingUncheckedCreateInput> = {},
): Promise<InstanceServing> =>
  db.instanceServing.create({
    data: {
      instanceName: 'visual-1',
      gateway: 'g',
      attachment: 1,
      state: 'serving',
      slots: 2,
      models: ['m'],
      startedAt: ago(90),
      seenAt: ago(1),
      ...values,
    },
  });

/** A machine that is paid for at $2 an hour since an hour before {@link NOW}, with the id that the ledger gives it. */
export function aRental(db: PrismaClient, values: Partial<Prisma.RentalUncheckedCreateInput> = {}): Promise<Rental> {
  const { id, provider = 'datacrunch', resource = 'instance', resourceId = id ?? randomUUID() } = values;
  return db.rental.create({
    data: {
      priceUsdPerHour: '2',
      quantumSec: 600,
      refundsUnused: true,
      billedFrom: ago(3600),
      ...values,
      id: id ?? `${provider}/${resource}/${resourceId}`,
      provider,
      resource,
      resourceId,
    },
  });
}

/** What was settled of a rental: calls of a second that ended at once. */
export const aLedgerEntry = (
  db: PrismaClient,
  values: Partial<Prisma.LedgerEntryUncheckedCreateInput> &
    Pick<Prisma.LedgerEntryUncheckedCreateInput, 'rentalId' | 'amountUsd' | 'fromAt'>,
): Promise<LedgerEntry> => {
  const { rentalId, position = 0 } = values;
  return db.ledgerEntry.create({
    data: {
      id: `${rentalId}/${position}`,
      position,
      kind: 'busy',
      untilAt: values.fromAt,
      shareSeconds: 1,
      provider: 'datacrunch',
      ...values,
    },
  });
};

/** The key of an offer that tests buy. */
export const OFFER = offerKey({
  provider: 'datacrunch',
  location: 'FIN-01',
  instanceType: '1H100.80S.30V',
  market: 'ondemand',
});

/** An attempt to create the machine of an instance, whose outcome is not known yet. */
export function aCreateIntent(
  db: PrismaClient,
  values: Partial<Prisma.CreateIntentUncheckedCreateInput> = {},
): Promise<CreateIntent> {
  const { instanceName = 'visual-1' } = values;
  const id = `${instanceName}/1`;
  return db.createIntent.create({
    data: { id, hostname: `dh-test1-${instanceName}-1`, offerKey: OFFER, priceUsdPerHour: 2, ...values, instanceName },
  });
}

/** A step in the life of an instance. */
type Step = Partial<Prisma.InstanceTransitionCreateManyInput> &
  Pick<Prisma.InstanceTransitionCreateManyInput, 'toPhase' | 'at'>;

/** The history of an instance: these steps, in their order from position 0 on. */
export async function aHistory(db: PrismaClient, instanceName: string, steps: readonly Step[]): Promise<void> {
  await db.instanceTransition.createMany({
    data: steps.map((step, position) => ({
      id: `${instanceName}/${position}`,
      instanceName,
      position,
      reason: 'test',
      ...step,
    })),
  });
}

/** The columns of an attempt at a call about a slide, of which nothing has come yet. */
export const callAttemptRow = (
  values: Partial<Prisma.CallAttemptCreateManyInput> & Pick<Prisma.CallAttemptCreateManyInput, 'startedAt'>,
): Prisma.CallAttemptCreateManyInput => ({
  id: randomUUID(),
  tenantId: TENANT,
  analysisId: 'a',
  deckId: 'd',
  callId: 'c',
  instanceName: 'visual-1',
  task: 'describe_slide',
  modelName: 'm',
  gpuClass: 'gpu-visual',
  priority: 3,
  ...values,
});

type ModelResultValues = Partial<Prisma.ModelResultCreateManyInput>;

/** The columns of a stored answer of a model, whose output says nothing. */
export const modelResultRow = (values: ModelResultValues = {}): Prisma.ModelResultCreateManyInput => ({
  id: randomUUID(),
  tenantId: TENANT,
  contentKey: randomUUID(),
  task: 'describe_slide',
  modelName: 'reader',
  modelDigest: 'd',
  promptVersion: 1,
  language: 'en',
  numCtx: 1,
  numPredict: 1,
  temperature: 0,
  topP: 1,
  temperatureUsed: 0,
  seedUsed: 1,
  attempts: 1,
  output: '{}',
  engineKind: 'rules',
  serverVersion: '1',
  host: 'h',
  promptTokens: 1,
  outputTokens: 1,
  loadMs: 0,
  durationMs: 1,
  ...values,
});

/** A stored answer of a model. */
export const aModelResult = (db: PrismaClient, values: ModelResultValues = {}): Promise<ModelResult> =>
  db.modelResult.create({ data: modelResultRow(values) });

/** A webhook for all ends of analyses, at which nothing listens. */
export const aWebhook = (
  db: PrismaClient,
  values: Partial<Prisma.WebhookUncheckedCreateInput> = {},
): Promise<Webhook> =>
  db.webhook.create({
    data: { id: 'hook', tenantId: TENANT, url: 'http://127.0.0.1:9/', secret: 'whsec_eA==', events: [], ...values },
  });

/** A machine without an owner that the reaper saw once, a minute before {@link NOW}. */
export function aReapCandidate(
  db: PrismaClient,
  values: Partial<Prisma.ReapCandidateUncheckedCreateInput> = {},
): Promise<ReapCandidate> {
  const { resourceId = 'm-9', firstSeenAt = ago(60) } = values;
  const found = { provider: 'datacrunch', kind: 'instance', name: 'dh-test-9', reason: 'no owner', sightings: 1 };
  return db.reapCandidate.create({
    data: { id: resourceId, lastSeenAt: firstSeenAt, ...found, ...values, resourceId, firstSeenAt },
  });
}
