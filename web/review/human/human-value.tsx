/** A value as it holds: a person's correction with what the machine said beside it, else what the machine said. */
import type { ReactNode } from 'react';
import type { JudgedValue } from '../../../domain/decks/verdicts/overlay.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { formatDeckDate, formatMoney } from '../../format.ts';
import { deckWords, sectorName } from '../../words/deck.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { humanWords } from './words.ts';

/** The value. `children` is what the machine says. */
export function HumanValue({ value, children }: { readonly value: JudgedValue; readonly children: ReactNode }) {
  const words = useWords(humanWords);
  const names = useWords(deckWords).sector;
  const { human, machine, field } = value;
  if (human === null) return <div>{children}</div>;
  const machineText = machine === null ? words.machineNone : field === 'sector' ? sectorName(machine, names) : machine;
  return (
    <div>
      <span className="font-medium">
        {field === 'sector' ? sectorName(human.text ?? '', names) : human.text}
        <Meaning human={human} />
      </span>
      <span className="ml-2 text-sm text-soft">{words.by(human.author)}</span>
      {human.reason === null ? null : <p className="text-sm text-soft">{human.reason}</p>}
      <p className="text-sm text-soft">{words.machine(machineText)}</p>
    </div>
  );
}

/** Amount or date that a correction was read as. */
function Meaning({ human: { text, amount, currency, isoDate } }: { readonly human: HumanVerdict }) {
  const language = useLanguage();
  const meant =
    amount !== null
      ? formatMoney(amount, currency, language)
      : isoDate === null
        ? null
        : formatDeckDate(isoDate, language);
  return meant === null || meant.toLowerCase() === text?.toLowerCase() ? null : ` (${meant})`;
}
