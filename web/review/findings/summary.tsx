/** The summary: what they do, who, the ask, use of funds, traction, team, each as a fact with its slides. */
import { memo } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import {
  claimsOfTopic,
  type SummaryFact,
  type SummaryTopic,
  type Topic,
} from '../../../domain/decks/review/summary.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { formatShare } from '../../format.ts';
import { deckWords, sectorName } from '../../words/deck.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { Notes } from '../human/notes.tsx';
import { ValueEditor } from '../human/value-editor.tsx';
import { HumanValue } from '../human/human-value.tsx';
import { contradictionLabel, subjectLabel } from '../labels.ts';
import { contradictionKey, type ReviewModel } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { pageWords } from '../words.ts';
import { ClaimFoot } from './claim-foot.tsx';
import { FactList, LARGE } from './fact-list.tsx';
import { Place } from './place.tsx';
import { Quotes, SlideNumber } from './quotes.tsx';
import { Section } from './section.tsx';
import { Untold } from './untold.tsx';

/** Topics that are a value of the deck, which people can correct. */
const VALUE_OF: Readonly<Partial<Record<Topic, string>>> = {
  offering: 'offering',
  company: 'company_name',
  ask: 'funding',
  deck_date: 'deck_date',
  sector: 'sector',
};

/** Most letters of an answer that the summary tells; its chapter tells all of it. */
const MOST_LETTERS = 260;

/** A row that is not a place of the page, in line with those that are. */
const PLAIN_ROW = 'group border-l-3 border-transparent px-3 py-2';

const shortened = (text: string): string => {
  if (text.length <= MOST_LETTERS) return text;
  const cut = text.slice(0, MOST_LETTERS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MOST_LETTERS / 2))} …`;
};

/** Looks of the values that a reader looks for first. */
const LEADING: Readonly<Partial<Record<Topic, string>>> = { offering: 'font-medium', ask: LARGE };

interface FactProps {
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly judged: JudgedReport;
  readonly onlyDeck: boolean;
}

interface SummaryProps extends FactProps {
  /** True where the review can be made anew, with what it lacks. */
  readonly canReplay: boolean;
}

/** The section. */
export const Summary = memo(function Summary({ canReplay, ...props }: SummaryProps) {
  const { report, model, onlyDeck } = props;
  // What cannot be corrected in place is told together where there is nothing to tell.
  const isRow = ({ topic, facts }: SummaryTopic): boolean => facts.length > 0 || (!onlyDeck && topic in VALUE_OF);
  const topics = model.topics.filter((topic) => isRow(topic) && !(onlyDeck && topic.topic === 'sector'));
  return (
    <Section name="summary">
      <dl className="text-[0.9375rem]">
        {topics.map((topic) => (
          <TopicRow key={topic.topic} topic={topic} {...props} />
        ))}
      </dl>
      {onlyDeck ? null : (
        <Untold topics={model.topics.filter((topic) => !isRow(topic))} report={report} canReplay={canReplay} />
      )}
    </Section>
  );
});

function TopicRow({
  topic: { topic, facts, absence, contradiction },
  ...props
}: FactProps & { readonly topic: SummaryTopic }) {
  const language = useLanguage();
  const { report, judged, onlyDeck } = props;
  const words = reviewWords[language];
  const field = VALUE_OF[topic];
  const isStated = facts.some(({ claim }) => claim === `value/${field}`);
  const value = field === undefined ? undefined : judged.values.get(field);
  const isAlone = value !== undefined && !isStated;
  return (
    <div className="grid grid-cols-1 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      <dt className="px-3 pt-2 text-sm font-medium text-soft">{words.topics[topic]}</dt>
      <dd className="min-w-0">
        {claimsOfTopic({ facts }).map((claim) =>
          claim.facts.some(({ typed }) => typed !== null) ? (
            <FactList key={claim.claim} topic={topic} claim={claim} {...props} />
          ) : (
            claim.facts.map((fact) => <Fact key={fact.key} fact={fact} topic={topic} {...props} />)
          ),
        )}
        {contradiction === null ? null : <Contradicted contradiction={contradiction} />}
        {isAlone && !onlyDeck ? (
          <div className={`${PLAIN_ROW} flex items-start gap-2`}>
            <div className="min-w-0 grow">
              <HumanValue value={value}>
                {facts.length > 0 ? null : (
                  <span className="text-soft">{absence === null ? '–' : words.absence[absence]}</span>
                )}
              </HumanValue>
            </div>
            <ValueEditor value={value} report={report} />
          </div>
        ) : null}
      </dd>
    </div>
  );
}

/** Both of two values that cannot be right together, each with its slide. */
function Contradicted({
  contradiction: { index, sides },
}: {
  readonly contradiction: NonNullable<SummaryTopic['contradiction']>;
}) {
  const language = useLanguage();
  const { select } = useReviewTools();
  return (
    <div className={`${PLAIN_ROW} flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm`}>
      <span className="text-soft">{contradictionLabel(sides, language)}</span>
      {[sides.first, sides.second].map((side, place) => (
        <button
          key={place}
          type="button"
          className="flex items-baseline gap-2"
          onClick={() => select(contradictionKey(index), place)}
        >
          <span>{side.value}</span>
          <SlideNumber slide={side.slide} />
        </button>
      ))}
    </div>
  );
}

/** A value, or words that say that there is none of a topic. */
function Fact({
  fact,
  topic,
  report,
  model,
  judged,
  onlyDeck,
}: FactProps & { readonly fact: SummaryFact; readonly topic: Topic }) {
  const words = useWords(pageWords);
  const names = useWords(deckWords).sector;
  const language = useLanguage();
  const { key } = fact;
  const stop = model.byKey.get(key);
  const quotes = stop?.quotes ?? [];
  const field = fact.claim.startsWith('value/') ? fact.claim.slice('value/'.length) : null;
  const value = field === null ? undefined : judged.values.get(field);
  const label = subjectLabel(fact.claim, report, language) ?? '';
  const text = field === 'sector' ? sectorName(report.sector.slug ?? fact.text, names) : shortened(fact.text);
  const isQuoted = fact.verbatim || (onlyDeck && field === null);
  const content = (
    <>
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 grow flex-col gap-1">
          {fact.statedAbsent ? <p className="text-soft">{words.statedAbsent}</p> : null}
          {isQuoted ? (
            <Quotes place={key} quotes={quotes} />
          ) : (
            <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
              {value === undefined ? (
                <p>{text}</p>
              ) : (
                <div className={LEADING[topic]}>
                  <HumanValue value={value}>{text}</HumanValue>
                </div>
              )}
              <Quotes place={key} quotes={quotes} look="slides" />
            </div>
          )}
          {field === 'sector' && !onlyDeck ? <SectorDetails report={report} /> : null}
        </div>
        {value === undefined || onlyDeck ? null : <ValueEditor value={value} report={report} />}
      </div>
      {onlyDeck ? null : <ClaimFoot stop={stop} label={label} model={model} judged={judged} />}
      <Notes subject={fact.claim} place={key} judged={judged} />
    </>
  );
  return quotes.length === 0 ? (
    <div className={PLAIN_ROW}>{content}</div>
  ) : (
    <Place place={key} label={label}>
      {content}
    </Place>
  );
}

function SectorDetails({ report: { sector } }: { readonly report: AnalysisReport }) {
  const words = useWords(pageWords);
  const names = useWords(deckWords).sector;
  const language = useLanguage();
  const said = [
    ...(sector.confidence === null ? [] : [words.sectorSure(formatShare(sector.confidence, language))]),
    ...(sector.secondary === null ? [] : [words.sectorAlso(sectorName(sector.secondary, names))]),
  ].join(', ');
  return (
    <p className="text-sm text-soft">
      {said}
      {sector.reasoning === null ? null : ` ${said === '' ? '' : '· '}${sector.reasoning}`}
    </p>
  );
}
