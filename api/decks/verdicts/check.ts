/** Whether what a verdict is about exists, and what the machine said about it. */
import { answeringOf } from '../../../domain/decks/review/marks.ts';
import type { Saying } from '../../../domain/decks/verdicts/saying.ts';
import { type SubjectParts, subjectParts } from '../../../domain/decks/verdicts/subject.ts';
import type { Answering } from '../../../domain/evidence/answering.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { EXTRACTION_FIELDS, SPECIALISED_KINDS } from '../../../domain/models/model-tasks.ts';
import { statementOfTopic } from '../../../domain/profile/statement.ts';
import { PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import { closestName } from '../../../domain/text/closest-name.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import { counted } from '../../../domain/text/words.ts';
import type { Evidence, ModelResult, Prisma } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';

/** The deck that a verdict is about. */
export interface VerdictDeck {
  readonly tenantId: string;
  readonly deckId: string;
}

/** Values that a person can correct. */
const VALUE_FIELDS: readonly string[] = [...EXTRACTION_FIELDS, 'sector'];

/** True for what quotes can stand under; a sector has none. */
const isClaim = (parts: SubjectParts): boolean =>
  parts.of === 'question' ||
  parts.of === 'reading' ||
  parts.of === 'profile' ||
  (parts.of === 'value' && parts.field !== 'sector');

/** A request that is refused for one of its fields. @param field what is wrong, such as `subject` */
const refused = (field: string, what: string, meant: string | null = null): DeckhandError =>
  new DeckhandError('invalid_request', `${field}: ${what}`, {
    userMessage: `${field}: ${what}`,
    ...(meant === null ? {} : { hint: `Is ${meant} meant?` }),
  });

/**
 * Checks what a verdict is about: of the right kind, and there.
 *
 * @throws DeckhandError `invalid_request`, by the name of the field
 */
export async function checkSubject(tx: Transaction, deck: VerdictDeck, saying: Saying): Promise<void> {
  const { kind, subject } = saying;
  if (kind === 'tag' || kind === 'assignee' || kind === 'decision') return;
  const parts = subjectParts(subject);
  if (parts === null)
    throw refused('subject', `${subject} is none; such are deck, value/funding, question/market_size, slide/7`);
  if (kind === 'value' && parts.of !== 'value') throw refused('subject', 'a corrected value is about value/<field>');
  if (kind === 'score' && parts.of !== 'question') throw refused('subject', 'a score is about question/<slug>');
  if (kind === 'judgement' && !isClaim(parts)) {
    throw refused('subject', 'a judgement is about value/<field>, question/<slug>, reading/<kind> or profile/<topic>');
  }
  await checkExists(tx, deck, parts);
  if (subject === 'value/sector' && kind === 'value' && saying.text !== null) await checkSector(tx, deck, saying.text);
}

async function checkExists(tx: Transaction, { tenantId, deckId }: VerdictDeck, parts: SubjectParts): Promise<void> {
  switch (parts.of) {
    case 'deck':
      return;
    case 'value':
      checkName('value', parts.field, VALUE_FIELDS);
      return;
    case 'reading':
      checkName('reading', parts.reading, SPECIALISED_KINDS);
      return;
    case 'profile':
      checkName('topic', parts.topic, PROFILE_TOPICS);
      return;
    case 'question': {
      const { slug } = parts;
      if ((await tx.question.findFirst({ where: { tenantId, slug }, select: { id: true } })) !== null) return;
      const known = await tx.question.findMany({ where: { tenantId }, distinct: ['slug'], select: { slug: true } });
      checkName(
        'question',
        slug,
        known.map((question) => question.slug),
      );
      return;
    }
    case 'slide': {
      const deck = await tx.deck.findFirst({ where: { id: deckId, tenantId }, select: { pageCount: true } });
      const slides = deck?.pageCount ?? null;
      if (slides === null) throw refused('subject', 'the slides of this deck are not counted yet');
      if (parts.number > slides) throw refused('subject', `this deck has ${counted(slides, 'slide')}`);
      return;
    }
  }
}

function checkName(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw refused('subject', `there is no ${what} ${name}`, closestName(name, known));
}

async function checkSector(tx: Transaction, { tenantId }: VerdictDeck, slug: string): Promise<void> {
  const sectors = await tx.sector.findMany({ where: { tenantId }, select: { slug: true } });
  const known = sectors.map((sector) => sector.slug);
  if (!known.includes(slug)) throw refused('text', `there is no sector ${slug}`, closestName(slug, known));
}

/** What the machine said, and in which analysis. */
export interface MachineSaid {
  /** The analysis that was shown; where none was named, the newest full review that said something. */
  readonly analysisId: string | null;
  readonly text: string | null;
  readonly score: number | null;
  /** How well the quotes of a value or a judged line were said to answer, and by which engine; null for everything else. */
  readonly answering: Answering | null;
  readonly engine: Pick<ModelResult, 'engineKind' | 'modelName' | 'modelDigest'> | null;
}

/** A claim as it is stored, with what is to be known of it. */
const CLAIM = {
  analysisId: true,
  evidence: { select: { verdict: true, answering: true } },
  modelResult: { select: { engineKind: true, modelName: true, modelDigest: true } },
} as const;

/**
 * Words of the machine about a value, a question or a reading.
 *
 * @throws DeckhandError `invalid_request` for an analysis that is not of this deck, and for a judgement where there is nothing to judge
 */
export async function machineSaid(tx: Transaction, deck: VerdictDeck, saying: Saying): Promise<MachineSaid> {
  const { tenantId, deckId } = deck;
  const { analysisId, kind, subject } = saying;
  if (analysisId !== null) {
    const shown = await tx.analysis.findFirst({ where: { id: analysisId, tenantId, deckId }, select: { id: true } });
    if (shown === null) throw refused('analysisId', 'there is no such analysis of this deck');
  }
  const nothing = { analysisId, text: null, score: null, answering: null, engine: null };
  const parts = subjectParts(subject);
  if (parts === null) return nothing;
  const query = {
    where: { tenantId, analysis: analysisId === null ? { deckId, taskType: null } : { id: analysisId } },
    orderBy: { analysis: { createdAt: 'desc' as const } },
  };
  switch (kind) {
    case 'value': {
      if (parts.of !== 'value') return nothing;
      if (parts.field !== 'sector') return (await claimSaid(tx, query, parts)) ?? nothing;
      const found = await tx.classification.findFirst({ ...query, select: { analysisId: true, sectorSlug: true } });
      return found === null ? nothing : { ...nothing, analysisId: found.analysisId, text: found.sectorSlug };
    }
    case 'score': {
      if (parts.of !== 'question') return nothing;
      const where = { ...query.where, question: { slug: parts.slug }, score: { not: null } };
      const answer = await tx.answer.findFirst({ ...query, where, select: { analysisId: true, score: true } });
      return answer === null ? nothing : { ...nothing, ...answer };
    }
    case 'judgement': {
      const found = await claimSaid(tx, query, parts);
      if (found !== null && found.text !== null) return found;
      if (saying.text === null) return nothing;
      throw refused('subject', 'the machine says nothing there that could be judged');
    }
    case 'note':
    case 'tag':
    case 'assignee':
    case 'decision':
      return nothing;
  }
}

interface ClaimQuery {
  readonly where: { readonly tenantId: string; readonly analysis: Prisma.AnalysisWhereInput };
  readonly orderBy: { readonly analysis: { readonly createdAt: 'desc' } };
}

/** Text of the machine on a value, a question, a reading or a topic of the profile; null where it has no row of it. */
async function claimSaid(tx: Transaction, query: ClaimQuery, parts: SubjectParts): Promise<MachineSaid | null> {
  const said = (
    row: {
      readonly analysisId: string;
      readonly evidence: readonly Pick<Evidence, 'verdict' | 'answering'>[];
      readonly modelResult: MachineSaid['engine'];
    } | null,
    text: string | null,
  ): MachineSaid | null =>
    row === null
      ? null
      : {
          analysisId: row.analysisId,
          text,
          score: null,
          answering: answeringOf(row.evidence),
          engine: row.modelResult,
        };
  switch (parts.of) {
    case 'value': {
      const where = { ...query.where, field: parts.field };
      const row = await tx.extraction.findFirst({ ...query, where, select: { ...CLAIM, raw: true } });
      return said(row, row?.raw ?? null);
    }
    case 'question': {
      const where = { ...query.where, question: { slug: parts.slug }, status: 'answered' };
      const row = await tx.answer.findFirst({ ...query, where, select: { ...CLAIM, answer: true } });
      return said(row, row?.answer ?? null);
    }
    case 'reading': {
      const where = { ...query.where, kind: parts.reading };
      const row = await tx.specialisedAnalysis.findFirst({ ...query, where, select: { ...CLAIM, summary: true } });
      return said(row, row?.summary ?? null);
    }
    case 'profile': {
      const topic = memberOf(PROFILE_TOPICS, parts.topic);
      const { modelResult } = CLAIM;
      const facts = { where: { topic: parts.topic, isAbsent: false }, orderBy: { position: 'asc' as const } };
      const select = { analysisId: true, modelResult, facts: { ...facts, include: { evidence: true } } };
      const row = await tx.deckProfile.findFirst({ ...query, select });
      if (row === null || topic === null) return null;
      const evidence = row.facts.flatMap((fact) => fact.evidence);
      return said({ ...row, evidence }, statementOfTopic({ topic, facts: row.facts }));
    }
    case 'deck':
    case 'slide':
      return null;
  }
}

/**
 * Checks that a note that is changed is one of this deck, about the same thing.
 *
 * @throws DeckhandError `invalid_request`
 */
export async function checkItem(tx: Transaction, { tenantId, deckId }: VerdictDeck, saying: Saying): Promise<void> {
  const { item, subject } = saying;
  if (item === null) return;
  const note = await tx.humanVerdict.findFirst({
    where: { tenantId, deckId, kind: 'note', item },
    select: { subject: true },
  });
  if (note === null) throw refused('item', 'there is no such note of this deck');
  if (note.subject !== subject) throw refused('subject', `the note is about ${note.subject}`);
}
