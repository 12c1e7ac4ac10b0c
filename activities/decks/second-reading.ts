/** Which quotes of an analysis are to be read again in the picture, and what is stored of it. */
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { SUMMARY_CLAIMS } from '../../domain/decks/review/summary.ts';
import { judgementOn } from '../../domain/decks/verdicts/judgement.ts';
import { VERDICT_KINDS } from '../../domain/decks/verdicts/kinds.ts';
import { currentVerdicts } from '../../domain/decks/verdicts/overlay.ts';
import { isWithdrawal } from '../../domain/decks/verdicts/saying.ts';
import { subjectOf } from '../../domain/decks/verdicts/subject.ts';
import { chooseRereads, placeKey, type QuoteToReread } from '../../domain/evidence/choose-rereads.ts';
import { notRead, type RereadJudgement } from '../../domain/evidence/reread-judgement.ts';
import { EXTRACTION_FIELDS, SPECIALISED_KINDS } from '../../domain/models/model-tasks.ts';
import { boxesSchema } from '../../domain/pages/page-schemas.ts';
import { statementOfTopic } from '../../domain/profile/statement.ts';
import { PROFILE_TOPICS } from '../../domain/profile/topics.ts';
import { memberOf } from '../../domain/text/member-of.ts';

/** A quote that has still to be read again. */
export interface PendingReread extends QuoteToReread {
  /** Of the rows under lines that a person called right: their verdict is not withdrawn. */
  readonly judgedRight: readonly string[];
}

/** The quotes of an analysis that are to be read again and have no outcome yet. */
export interface PendingRereads {
  /** Read in another analysis of the deck, in the same place of the same slide, with the outcome of that. */
  readonly known: readonly { readonly quote: PendingReread; readonly outcome: RereadJudgement }[];
  readonly open: readonly PendingReread[];
}

const evidence = { orderBy: { position: 'asc' } } as const;

/** Finds the quotes of an analysis that are to be read again. Stores nothing. */
export async function pendingRereads(db: PrismaClient, analysisId: string): Promise<PendingRereads> {
  const analysis = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    include: {
      extractions: { include: { evidence } },
      answers: {
        include: { evidence, question: { select: { slug: true } } },
        orderBy: [{ question: { chapter: { position: 'asc' } } }, { question: { position: 'asc' } }],
      },
      specialised: { include: { evidence } },
      profile: { include: { facts: { orderBy: { position: 'asc' }, include: { evidence } } } },
    },
  });
  const { deckId, extractions, answers, specialised, profile } = analysis;
  const claims = [
    ...inOrder(extractions, EXTRACTION_FIELDS, ({ field }) => field).map((row) => ({
      subject: subjectOf({ of: 'value', field: row.field }),
      text: row.raw,
      rows: row.evidence,
    })),
    ...PROFILE_TOPICS.map((topic) => {
      const facts = profile?.facts.filter((fact) => fact.topic === topic) ?? [];
      return {
        subject: subjectOf({ of: 'profile', topic }),
        text: statementOfTopic({ topic, facts }),
        rows: facts.flatMap((fact) => fact.evidence),
      };
    }),
    ...answers.map((row) => ({
      subject: subjectOf({ of: 'question', slug: row.question.slug }),
      text: row.answer,
      rows: row.evidence,
    })),
    ...inOrder(specialised, SPECIALISED_KINDS, ({ kind }) => kind).map((row) => ({
      subject: subjectOf({ of: 'reading', reading: row.kind }),
      text: row.summary,
      rows: row.evidence,
    })),
  ];
  const quotes = claims.flatMap(({ subject, rows }) =>
    rows
      // A quote that was withdrawn counts as chosen: reading again after an interruption must not choose another in its place.
      .filter(({ verdict, reread }) => verdict === 'verified' || reread === 'withdrawn')
      .map(({ id, slideNumber: slide, quote, boxes, answering, reread }) => ({
        id,
        subject,
        slide,
        quote,
        answering,
        reread,
        boxes: boxes === null ? null : boxesSchema.parse(boxes),
        inSummary: SUMMARY_CLAIMS.has(subject),
      })),
  );
  const isOpen = new Set(quotes.filter(({ reread }) => reread === null).map(({ id }) => id));
  const pending = chooseRereads(quotes)
    .map((quote) => ({ ...quote, ids: quote.ids.filter((id) => isOpen.has(id)) }))
    .filter(({ ids }) => ids.length > 0);
  const said = await db.humanVerdict.findMany({ where: { deckId, kind: { in: ['value', 'judgement'] } } });
  const held = currentVerdicts(
    said.flatMap((row) => {
      const kind = memberOf(VERDICT_KINDS, row.kind);
      return kind === null ? [] : [{ ...row, kind, withdrawn: isWithdrawal(row), machine: { text: row.machineText } }];
    }),
  );
  const right = claims.filter(({ subject, text }) => judgementOn(held, subject, text) === 'right');
  const judgedRight = new Set(right.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const outcomes = await knownOutcomes(db, deckId, pending);
  const known: { readonly quote: PendingReread; readonly outcome: RereadJudgement }[] = [];
  const open: PendingReread[] = [];
  for (const each of pending) {
    const quote = { ...each, judgedRight: each.ids.filter((id) => judgedRight.has(id)) };
    const outcome = outcomes.get(placeKey(each));
    if (outcome === undefined) open.push(quote);
    else known.push({ quote, outcome });
  }
  return { known, open };
}

/** Rows in the order of their names in a list. */
const inOrder = <Row>(rows: readonly Row[], names: readonly string[], nameOf: (row: Row) => string): Row[] =>
  rows.toSorted((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)));

/** Outcomes of the same quotes in any analysis of the deck. What could not be read then may be readable now. */
async function knownOutcomes(
  db: PrismaClient,
  deckId: string,
  pending: readonly QuoteToReread[],
): Promise<ReadonlyMap<string, RereadJudgement>> {
  const ofDeck = { analysis: { deckId } };
  const rows = await db.evidence.findMany({
    where: {
      OR: [{ extraction: ofDeck }, { answer: ofDeck }, { specialised: ofDeck }, { profileFact: { profile: ofDeck } }],
      slideNumber: { in: pending.map(({ slide }) => slide) },
      quote: { in: pending.map(({ quote }) => quote) },
      reread: { in: ['agreed', 'withdrawn'] },
      boxes: { not: Prisma.DbNull },
    },
  });
  return new Map(
    rows.flatMap(({ slideNumber: slide, quote, boxes, reread, rereadReason: reason }) =>
      reread === null ? [] : [[placeKey({ slide, quote, boxes: boxesSchema.parse(boxes) }), { state: reread, reason }]],
    ),
  );
}

/** Stores the outcome of a quote. Rows that were replaced meanwhile, by a retry, are left as they are. */
export async function storeReread(
  db: PrismaClient,
  { ids, judgedRight }: Pick<PendingReread, 'ids' | 'judgedRight'>,
  outcome: RereadJudgement,
): Promise<void> {
  const { state, reason } = outcome;
  if (state !== 'withdrawn') return storeOutcome(db, ids, outcome);
  await storeOutcome(db, judgedRight, outcome);
  const others = ids.filter((id) => !judgedRight.includes(id));
  await storeOutcome(db, others, outcome, { verdict: 'unverified', reason: reason ?? '' });
}

async function storeOutcome(
  db: PrismaClient,
  ids: readonly string[],
  { state: reread, reason: rereadReason }: RereadJudgement,
  verdict: Prisma.EvidenceUpdateManyMutationInput = {},
): Promise<void> {
  await db.evidence.updateMany({
    where: { id: { in: [...ids] }, verdict: 'verified', reread: null },
    data: { reread, rereadReason, ...verdict },
  });
}

/** Stores the outcomes that are known from other analyses. */
export async function storeKnown(db: PrismaClient, { known }: PendingRereads): Promise<void> {
  for (const { quote, outcome } of known) await storeReread(db, quote, outcome);
}

/** Stores for every quote that has no outcome why it was not read again. */
export async function leaveUnread(db: PrismaClient, analysisId: string, reason: string): Promise<void> {
  const pending = await pendingRereads(db, analysisId);
  await storeKnown(db, pending);
  for (const quote of pending.open) await storeReread(db, quote, notRead(reason));
}
