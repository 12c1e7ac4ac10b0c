/**
 * The specialised readings (clinical, regulatory, scientific): one aspect after the other, each with what the deck says about it, word for
 * word. An aspect on which nothing is found is named; with nothing at all the reading is empty.
 */
import type { SpecialisedKind } from '../domain/models/model-tasks.ts';
import type { EvidenceItem, SpecialisedAnalysisOutput } from '../domain/models/result-schemas.ts';
import { choosePassages } from './choose.ts';
import type { ReadPrompt } from './prompt.ts';
import { statesNothing } from './document-kind.ts';
import type { Subject } from './subject.ts';
import { topic, type Topic } from './topic.ts';
import { phrases } from './phrases.ts';

interface Aspect {
  readonly english: string;
  readonly german: string;
  readonly about: Topic;
}

const ELSEWHERE = 'ask funds team hiring sales market model pricing financials competition';

/**
 * The aspects of a kind by their names in English and German; the list of the English name holds the words of each. Without words of what
 * matters to the kind a passage speaks of something else: a phase of a rollout, the trial of an app, an endpoint of an interface.
 */
const aspects = (kind: SpecialisedKind, at: string, ...names: readonly [string, string][]): readonly Aspect[] =>
  names.map(([english, german]) => ({
    english,
    german,
    about: topic(kind, {
      at: { [at]: null },
      says: phrases(english.toLowerCase()),
      with: phrases(`${kind} matters`),
      notAt: ELSEWHERE,
      not: phrases('other sense'),
    }),
  }));

const ASPECTS: Readonly<Record<SpecialisedKind, readonly Aspect[]>> = {
  clinical: aspects(
    'clinical',
    'evidence',
    ['Study design', 'Studiendesign'],
    ['Population and sample size', 'Population und Fallzahl'],
    ['Endpoints', 'Endpunkte'],
    ['Results', 'Ergebnisse'],
    ['Statistics', 'Statistik'],
    ['Safety', 'Sicherheit'],
  ),
  regulatory: aspects(
    'regulatory',
    'regulatory',
    ['Class and route', 'Klasse und Weg'],
    ['Status and notified body', 'Stand und Benannte Stelle'],
    ['Quality management', 'Qualitätsmanagement'],
    ['Timeline and milestones', 'Zeitplan und Meilensteine'],
    ['Reimbursement', 'Erstattung'],
    ['Data protection', 'Datenschutz'],
    ['Other markets', 'Andere Märkte'],
  ),
  science: aspects(
    'science',
    'evidence solution',
    ['Mechanism', 'Mechanismus'],
    ['Rationale', 'Begründung'],
    ['Evidence given', 'Genannte Belege'],
    ['Gap and validation', 'Lücke und Prüfung'],
  ),
};

interface Finding {
  readonly aspect: Aspect;
  readonly item: EvidenceItem;
}

function find(prompt: ReadPrompt, kind: SpecialisedKind): Finding[] {
  const found: Finding[] = [];
  const used = new Set<string>();
  for (const part of ASPECTS[kind]) {
    const choice = choosePassages(prompt.slides, part.about).find(
      ({ passage }) => !used.has(`${passage.slide.number} ${passage.quote}`),
    );
    if (choice === undefined) continue;
    const { slide, quote, subjects } = choice.passage;
    used.add(`${slide.number} ${quote}`);
    // Elsewhere than under the subject its words may belong to something else.
    const isHome = Object.keys(part.about.at).some((subject) => subjects.has(subject as Subject));
    found.push({ aspect: part, item: { slide: slide.number, quote, answering: isHome ? 'high' : 'some' } });
  }
  return found;
}

/** Reads the deck as the specialist of that kind. */
export function specialised(kind: SpecialisedKind): (prompt: ReadPrompt) => SpecialisedAnalysisOutput {
  return (prompt) => {
    const german = prompt.language === 'de';
    const found = statesNothing(prompt.slides) ? [] : find(prompt, kind);
    const missing = ASPECTS[kind].filter((part) => !found.some((finding) => finding.aspect === part));
    if (found.length === 0) return { evidence: [], covered: 'no', points: [], summary: '' };
    const name = (part: Aspect): string => (german ? part.german : part.english);
    const points = found.map(({ aspect: part, item }, index) => ({
      heading: kind === 'science' ? `${index + 1}. ${name(part)}` : name(part),
      text: german ? `Folie ${item.slide}: „${item.quote}“` : `Slide ${item.slide}: "${item.quote}"`,
    }));
    const gaps = missing.map(name).join(', ');
    if (missing.length > 0 && kind !== 'science') {
      points.push({
        heading: german ? 'Nicht gefunden' : 'Not found',
        text: german ? `Dazu wurde nichts gefunden: ${gaps}.` : `Nothing was found on: ${gaps}.`,
      });
    }
    const said = found.map((finding) => name(finding.aspect)).join(', ');
    const summary = german
      ? `Das Deck äußert sich zu: ${said}.${gaps === '' ? '' : ` Ein Fachmensch müsste noch fragen nach: ${gaps}.`}`
      : `The deck speaks of: ${said}.${gaps === '' ? '' : ` A specialist would still have to ask for: ${gaps}.`}`;
    const covered = found.length >= Math.ceil(ASPECTS[kind].length / 2) ? 'yes' : 'partly';
    return { evidence: found.map((finding) => finding.item).slice(0, 6), covered, points: points.slice(0, 8), summary };
  };
}
