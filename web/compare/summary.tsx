/** What matters first of each review: what they do, the ask, scores, proof, and what people decided. */
import type { ReactNode } from 'react';
import { isPitchDeck } from '../../domain/decks/list/rank.ts';
import { evidenceFound, leadsWithEvidence } from '../../domain/decks/review/evidence-found.ts';
import { isProof, proofFirst } from '../../domain/decks/review/proof.ts';
import { LISTED_TOPICS } from '../../domain/decks/review/summary.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { sameWords } from '../../domain/decks/compare/wording.ts';
import { subjectOf } from '../../domain/decks/verdicts/subject.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { quotesOfTopic, statementOfTopic } from '../../domain/profile/statement.ts';
import type { ProfileTopic } from '../../domain/profile/topics.ts';
import { formatDeckDate, formatMoney, formatShare } from '../format.ts';
import { QuoteMarks } from '../marks/quote-marks.tsx';
import { Badge } from '../ui/badge.tsx';
import { deckWords, sectorName } from '../words/deck.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { BesideRow, BesideTable } from './beside.tsx';
import { ChangeBadge } from './change-badge.tsx';
import type { Column, Compared } from './model.ts';
import { Score } from './score.tsx';
import { SlideChip } from './slide-chip.tsx';
import { compareWords } from './words.ts';

interface Fact {
  readonly key: string;
  readonly name: ReactNode;
  /** In words, to tell whether they differ. */
  readonly texts: readonly string[];
  readonly cells: readonly ReactNode[];
}

/** The summary. `isOnly`: without rows that are the same in all. */
export function Summary({ compared, isOnly }: { readonly compared: Compared; readonly isOnly: boolean }) {
  const words = useWords(compareWords);
  const { columns, kind, changes } = compared;
  const facts = useFacts(columns);
  const isShown = ({ key, texts }: Fact): boolean =>
    !isOnly || key === 'score' || texts.some((text) => !sameWords(text, texts[0] ?? ''));
  return (
    <BesideTable label={words.facts} corner={words.facts} columns={columns}>
      {facts.filter(isShown).map(({ key, name, cells }) => (
        <BesideRow
          key={key}
          columns={columns}
          name={
            <>
              {name} {kind === 'decks' ? null : <ChangeBadge kind={changes.get(key)} isValue />}
            </>
          }
          cells={cells}
        />
      ))}
    </BesideTable>
  );
}

/** How many quotes answer, as a share and a number; those that nothing judged are counted apart. */
function answeringText(
  { quotes, onSlide, answering, notJudged }: Column['report']['marks'],
  language: Language,
  words: (typeof compareWords)['en'],
): string {
  if (quotes === 0) return '–';
  const rest = notJudged === 0 ? [] : [words.notJudged(notJudged)];
  if (notJudged === onSlide) return rest.join('') || '–';
  return [formatShare(answering / quotes, language), words.ofTotal(answering, quotes), ...rest].join(' · ');
}

function useFacts(columns: readonly Column[]): readonly Fact[] {
  const words = useWords(compareWords);
  const names = useWords(deckWords);
  const language = useLanguage();
  /** A value of the deck with the slide that proves it, or what a person put in its place. */
  const value = (key: string, name: string, field: string, read: (column: Column) => string | null): Fact => {
    const texts = columns.map((column) => read(column) ?? '–');
    const cells = columns.map((column, index) => {
      const human = column.judged.values.get(field)?.human ?? null;
      const [evidence] = proofFirst(column.report.extractions.find((each) => each.field === field)?.evidence ?? []);
      return (
        <div key={column.letter} className="flex flex-col gap-1">
          <span>
            <span className="font-medium">{human?.text ?? texts[index]}</span>{' '}
            {evidence === undefined || human !== null ? null : (
              <>
                <SlideChip
                  column={column}
                  claim={key}
                  slide={evidence.slide}
                  isProved={isProof(evidence)}
                  quote={evidence.quote}
                />{' '}
                <QuoteMarks quote={evidence} level={column.report.marks.rule.level} />
              </>
            )}
          </span>
          {human === null ? null : (
            <span className="text-xs text-soft">
              {words.byPerson(human.author)} · {words.machineSays(texts[index] ?? '–')}
            </span>
          )}
        </div>
      );
    });
    return { key, name, texts, cells };
  };
  const plain = (key: string, name: string, texts: readonly string[], cells?: readonly ReactNode[]): Fact => ({
    key,
    name,
    texts,
    cells: cells ?? texts,
  });
  const counts = columns.map(({ report }) => report.marks);
  /** A topic of the profile with the slide that proves it first. */
  const topic = (name: ProfileTopic): Fact => {
    const key = subjectOf({ of: 'profile', topic: name });
    const found = columns.map(({ report }) => report.profile.topics.find((each) => each.topic === name));
    const texts = found.map((each) => (each === undefined ? null : statementOfTopic(each)) ?? '–');
    const cells = columns.map((column, index) => {
      const each = found[index];
      const [evidence] = proofFirst(each === undefined ? [] : quotesOfTopic(each));
      return (
        <span key={column.letter}>
          {texts[index]}{' '}
          {evidence === undefined ? null : (
            <SlideChip
              column={column}
              claim={key}
              slide={evidence.slide}
              isProved={isProof(evidence)}
              quote={evidence.quote}
            />
          )}
        </span>
      );
    });
    return { key, name: reviewWords[language].topics[name], texts, cells };
  };
  const kinds = columns.map(({ report }) => report.profile.document?.kind ?? null);
  const evidence = columns.map(({ report, judged: { overall } }) => {
    const count = leadsWithEvidence(report) ? evidenceFound(report).found : null;
    return count === null ? '–' : words.scoredOf(count, overall.asked);
  });
  const known = LISTED_TOPICS.map(topic).filter(({ texts }) => texts.some((text) => text !== '–'));
  return [
    ...(kinds.every(isPitchDeck)
      ? []
      : [
          plain(
            'kind',
            words.fact.kind,
            kinds.map((kind) => (kind === null ? '–' : names.kind[kind])),
          ),
        ]),
    value('value/offering', words.fact.offering, 'offering', ({ report }) => report.offering),
    value('value/funding', words.fact.ask, 'funding', ({ report: { funding } }) =>
      funding.amount === null ? funding.raw : formatMoney(funding.amount, funding.currency, language),
    ),
    ...known,
    ...(evidence.every((text) => text === '–') ? [] : [plain('evidence', words.fact.evidence, evidence)]),
    plain(
      'score',
      evidence.includes('–') ? words.fact.score : words.fact.evidenceScore,
      columns.map(({ judged }) => String(judged.overall.score)),
      columns.map(({ letter, judged }) => (
        <Score key={letter} score={judged.overall.score} machine={judged.overall.machine} />
      )),
    ),
    plain(
      'coverage',
      words.fact.coverage,
      columns.map(({ judged: { overall } }) =>
        overall.asked === 0
          ? '–'
          : `${formatShare(overall.scored / overall.asked, language)} · ${words.scoredOf(overall.scored, overall.asked)}`,
      ),
    ),
    plain(
      'verified',
      words.fact.verified,
      counts.map(({ quotes, onSlide }) =>
        quotes === 0 ? '–' : `${formatShare(onSlide / quotes, language)} · ${words.ofTotal(onSlide, quotes)}`,
      ),
    ),
    plain(
      'answering',
      words.fact.answering,
      counts.map((marks) => answeringText(marks, language, words)),
    ),
    value('value/deck_date', words.fact.deckDate, 'deck_date', ({ report: { deckDate } }) =>
      deckDate.iso === null ? deckDate.raw : formatDeckDate(deckDate.iso, language),
    ),
    plain(
      'value/sector',
      words.fact.sector,
      columns.map(({ report: { sector } }) => (sector.slug === null ? '–' : sectorName(sector.slug, names.sector))),
    ),
    plain(
      'attention',
      words.fact.attention,
      columns.map(({ deck }) => deck.attention.map((reason) => names.attention[reason]).join(', ')),
      columns.map(({ letter, deck }) =>
        deck.attention.length === 0 ? (
          <span key={letter} className="text-soft">
            {words.nothingToLookAt}
          </span>
        ) : (
          <ul key={letter}>
            {deck.attention.map((reason) => (
              <li key={reason} className="text-warn">
                {names.attention[reason]}
              </li>
            ))}
          </ul>
        ),
      ),
    ),
    plain(
      'decision',
      words.fact.decision,
      columns.map(({ deck }) => `${deck.decision ?? ''} ${deck.assignee ?? ''}`),
      columns.map(({ letter, deck: { decision, assignee } }) => (
        <span key={letter}>
          {decision === null ? '–' : <Badge tone="accent">{names.decision[decision]}</Badge>} {assignee}
        </span>
      )),
    ),
  ];
}
