/** What the deck leaves open, as questions to its founder: chosen one by one, copied as a text or a mail, or opened in a mail program. */
import { Copy, Mail } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import {
  FOUNDER_REASONS,
  founderMail,
  founderQuestions,
  founderText,
  type FounderQuestion,
  type FounderReason,
} from '../../../domain/decks/review/founder-questions.ts';
import { slidesOf } from '../../../domain/decks/review/proof.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.ts';
import { Checkbox, Select } from '../../ui/field.tsx';
import { tell, tellError } from '../../ui/toast.tsx';
import { commonWords } from '../../words/common.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { contradictionKey, type ReviewModel } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { pageWords } from '../words.ts';
import { founderSectionWords } from './founder-words.ts';
import { SlideNumber } from './quotes.tsx';
import { Section } from './section.tsx';

/** Questions of one reason that are shown before somebody asks for all. */
const FIRST_SHOWN = 6;
/** Letters of an address that every mail program takes. */
const SAFE_ADDRESS = 1900;

/** In which order the reasons are told: what a founder can clear up at once comes first. */
const REASONS: readonly FounderReason[] = [
  'contradiction',
  'unreadable',
  ...FOUNDER_REASONS.filter((reason) => reason !== 'contradiction' && reason !== 'unreadable'),
];

/** The section. `company` is its name as people corrected it. */
export const FounderSection = memo(function FounderSection({
  report,
  model,
  company,
}: {
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly company: string | null;
}) {
  const words = useWords(founderSectionWords);
  const { languages } = useWords(commonWords);
  const pageLanguage = useLanguage();
  const [chosenLanguage, setLanguage] = useState<Language | null>(null);
  const language = chosenLanguage ?? pageLanguage;
  const questions = useMemo(() => founderQuestions(report, { language }), [report, language]);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const chosen = questions.filter(({ id }) => !leftOut.has(id));
  const mail = founderMail(chosen, { company, language });
  const address = `mailto:?subject=${encodeURIComponent(mail.subject)}&body=${encodeURIComponent(mail.body)}`;
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) tell(words.copied);
    else tellError(new Error(words.notCopied));
  };
  const toggle = (id: string, isChosen: boolean): void => {
    const next = new Set(leftOut);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeftOut(next);
  };
  if (questions.length === 0) {
    return (
      <Section name="missing">
        <p className="px-3 text-soft">{report.finishedAt === null ? words.later : words.none}</p>
      </Section>
    );
  }
  return (
    <Section name="missing" count={questions.length}>
      <div className="no-print mb-1 flex flex-wrap items-center gap-1.5 px-3">
        <Button disabled={chosen.length === 0} onClick={() => void copy(founderText(chosen))}>
          <Copy size={15} aria-hidden />
          {words.copyText}
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => void copy(`${mail.subject}\n\n${mail.body}`)}>
          <Copy size={15} aria-hidden />
          {words.copyMail}
        </Button>
        {chosen.length === 0 ? null : (
          <a
            href={address}
            className={buttonClasses()}
            title={address.length > SAFE_ADDRESS ? words.longMail : undefined}
          >
            <Mail size={15} aria-hidden />
            {words.openMail}
          </a>
        )}
        <Select
          aria-label={words.language}
          value={language}
          onChange={({ target }) => setLanguage(target.value === 'de' ? 'de' : 'en')}
          className="w-auto"
        >
          <option value="en">{languages.en}</option>
          <option value="de">{languages.de}</option>
        </Select>
        <span className="flex items-center text-sm text-soft">
          {words.chosenOf(chosen.length, questions.length)}
          <Button
            look="quiet"
            className="text-accent"
            onClick={() => setLeftOut(leftOut.size === 0 ? new Set(questions.map(({ id }) => id)) : new Set())}
          >
            {leftOut.size === 0 ? words.chooseNone : words.chooseAll}
          </Button>
        </span>
      </div>
      {REASONS.map((reason) => (
        <ReasonGroup
          key={reason}
          reason={reason}
          questions={questions.filter((question) => question.reason === reason)}
          leftOut={leftOut}
          onToggle={toggle}
          model={model}
        />
      ))}
    </Section>
  );
});

function ReasonGroup({
  reason,
  questions,
  leftOut,
  onToggle,
  model,
}: {
  readonly reason: FounderReason;
  readonly questions: readonly FounderQuestion[];
  readonly leftOut: ReadonlySet<string>;
  readonly onToggle: (id: string, isChosen: boolean) => void;
  readonly model: ReviewModel;
}) {
  const words = useWords(founderSectionWords);
  const page = useWords(pageWords);
  const [showsAll, setShowsAll] = useState(false);
  if (questions.length === 0) return null;
  const shown = showsAll ? questions : questions.slice(0, FIRST_SHOWN);
  return (
    <div className="px-3 pt-1.5">
      <h3 className="text-sm font-medium text-soft">{`${words.reasons[reason]} (${questions.length})`}</h3>
      <ul>
        {shown.map((question) => (
          <li key={question.id} className="flex items-start gap-2">
            <Checkbox
              label={question.text}
              checked={!leftOut.has(question.id)}
              onChange={({ target }) => onToggle(question.id, target.checked)}
              className="min-w-0 grow items-start py-1 [&>input]:mt-0.5 [&>input]:shrink-0 print:[&>input]:hidden"
            />
            <QuestionSlides question={question} model={model} />
          </li>
        ))}
      </ul>
      {questions.length <= FIRST_SHOWN ? null : (
        <Button look="quiet" className="no-print text-accent" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? page.showFewer : page.showAll(questions.length)}
        </Button>
      )}
    </div>
  );
}

/** Slides of what the deck says on a question; a click lights it. */
function QuestionSlides({
  question: { id, evidence },
  model,
}: {
  readonly question: FounderQuestion;
  readonly model: ReviewModel;
}) {
  const { select, showSlide } = useReviewTools();
  const number = /^contradiction\/(\d+)$/u.exec(id)?.[1];
  const key = number === undefined ? id : contradictionKey(Number(number) - 1);
  const stop = model.byKey.get(key);
  const show = (slide: number): void => {
    const at = stop?.quotes.findIndex((quote) => quote.slide === slide) ?? -1;
    if (at === -1) showSlide(slide);
    else select(key, at);
  };
  return (
    <span className="flex shrink-0 flex-wrap gap-1 py-1">
      {slidesOf(evidence).map((slide) => (
        <button key={slide} type="button" onClick={() => show(slide)}>
          <SlideNumber slide={slide} />
        </button>
      ))}
    </span>
  );
}
