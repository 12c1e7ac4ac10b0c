/** Rows of a deck's profile: its facts by topic, each with its quote, or why there is none. */
import { randomUUID } from 'node:crypto';
import { stateOf } from '../../domain/evidence/value-state.ts';
import { gapItemOf, MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import type { ResultOf } from '../../domain/models/result-schemas.ts';
import { checkFact, typedValue } from '../../domain/profile/facts.ts';
import { factsOfTopic, type ProfileFactOutput } from '../../domain/profile/schema.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../../domain/profile/topics.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { closeGap, recordGap } from './gaps.ts';
import type { CheckedQuote, Claim, MissingScope, StoreScope } from './result-scope.ts';

type FactRow = Omit<Prisma.ProfileFactCreateManyInput, 'id' | 'tenantId' | 'profileId' | 'position'>;

/** A fact to be stored with its quote. */
interface QuotedFact {
  readonly row: FactRow;
  readonly quote: CheckedQuote;
}

/** Stores the facts of a profile, each with one quote; a fact without a quote is left out. */
export async function storeProfile(scope: StoreScope, output: ResultOf<'profile'>): Promise<readonly Claim[]> {
  const { tx, tenantId, analysisId, modelResultId } = scope;
  const { unanswered = [] } = output;
  const columns = {
    status: 'analysed',
    documentKind: output.document.kind,
    unanswered,
    reason: null,
    modelResultId,
  };
  const { id: profileId } = await tx.deckProfile.upsert({
    where: { analysisId },
    create: { id: randomUUID(), tenantId, analysisId, ...columns },
    update: columns,
    select: { id: true },
  });
  await tx.profileFact.deleteMany({ where: { profileId } });
  const byTopic = PROFILE_TOPICS.map((topic) => {
    const facts = factsOfTopic(output, topic).flatMap((fact) => factRow(scope, topic, fact));
    return facts.length > 0 ? facts : absenceRow(scope, topic, output);
  });
  const placed = [documentRow(scope, output), ...byTopic].flatMap((facts) =>
    facts.map(({ row, quote }, position) => ({
      row: { id: randomUUID(), tenantId, profileId, position, ...row },
      quote,
    })),
  );
  await tx.profileFact.createMany({ data: placed.map(({ row }) => row) });
  if (unanswered.length > 0) await recordUnanswered(scope, unanswered);
  else await closeGap(tx, analysisId, gapItemOf(scope.subject));
  return placed.map(({ row, quote }) => ({ owner: { profileFactId: row.id }, evidence: [quote] }));
}

function factRow(scope: StoreScope, topic: ProfileTopic, fact: ProfileFactOutput): QuotedFact[] {
  const { name, value } = fact;
  const [quote] = scope.check([fact], (words, layout) => checkFact(topic, fact, words, layout));
  if (quote === undefined) return [];
  return [{ row: { topic, name: name.trim(), value: value.trim(), ...typedValue(topic, fact) }, quote }];
}

/** Words by which the deck says that there is none of a topic; they have to stand on their slide and to negate something. */
function absenceRow(scope: StoreScope, topic: ProfileTopic, { absent }: ResultOf<'profile'>): QuotedFact[] {
  const quotes = scope.check(absent.filter((each) => each.topic === topic));
  const [quote] = quotes;
  if (quote === undefined || stateOf(false, quotes) !== 'stated_absent') return [];
  return [{ row: { topic, name: '', value: '', isAbsent: true }, quote }];
}

/** Words that show the kind of a document that is no pitch deck. */
function documentRow(scope: StoreScope, { document }: ResultOf<'profile'>): QuotedFact[] {
  if (document.kind === 'pitch_deck') return [];
  const quoted = { ...document, ...(scope.isByReader && { answering: 'high' as const }) };
  return scope.check([quoted]).map((quote) => ({ row: { topic: 'document', name: document.kind, value: '' }, quote }));
}

/** One gap names the topics whose lists could not be read. */
async function recordUnanswered(
  { tx, tenantId, analysisId, subject }: StoreScope,
  topics: readonly ProfileTopic[],
): Promise<void> {
  await recordGap(tx, {
    tenantId,
    analysisId,
    item: gapItemOf(subject),
    stage: MODEL_TASKS[subject.task].stage,
    code: 'model_output_unparseable',
    message: `The profile lacks ${topics.join(', ')}: the lists of the model could not be read. A replay from the stage extraction asks again.`,
  });
}

/** Writes that a profile is missing. */
export async function writeMissingProfile({ tx, tenantId, analysisId, status, reason }: MissingScope): Promise<void> {
  const columns = { status, reason, documentKind: null, unanswered: [] };
  await tx.deckProfile.upsert({
    where: { analysisId },
    create: { id: randomUUID(), tenantId, analysisId, ...columns },
    update: columns,
  });
}
