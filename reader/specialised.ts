/**
 * The specialised readings (clinical, regulatory, scientific): one aspect after the other, each with what the deck says about it, word for
 * word. An aspect on which nothing is found is named; with nothing at all the reading is empty.
 */
import type { SpecialisedKind } from '../domain/models/model-tasks.ts';
import type { EvidenceItem, SpecialisedAnalysisOutput } from '../domain/models/result-schemas.ts';
import { choosePassages } from './choose.ts';
import type { ReadPrompt } from './prompt.ts';
import type { Subject } from './subject.ts';
import { isTemplate } from './template-deck.ts';
import { topic, under } from './topic.ts';
import { anyOf } from './words.ts';

interface Aspect {
  readonly english: string;
  readonly german: string;
  readonly words: RegExp;
}

const aspect = (english: string, german: string, ...words: readonly string[]): Aspect => ({
  english,
  german,
  words: anyOf(...words),
});

const ASPECTS: Readonly<Record<SpecialisedKind, readonly Aspect[]>> = {
  clinical: [
    aspect(
      'Study design',
      'Studiendesign',
      '(?:clinical|pilot|feasibility|validation|cohort|prospective|retrospective|registration|pivotal|observational) (?:stud(?:y|ies)|trials?)|randomi[sz]ed|rcts?|multicent\\p{L}*|placebo|double.blind|phase (?:1|2|3|i|ii|iii)[ab]?|(?:study|trial) (?:with|of|in) \\d+',
      'pilotstudie|klinische\\p{L}* (?:studien?|prüfung)|machbarkeitsstudie|studie mit \\d+|randomisiert\\p{L}*|prospektiv\\p{L}*|multizentrisch\\p{L}*|kontrolliert\\p{L}*|kontrollgruppe|kohorte|zulassungsstudie',
    ),
    aspect(
      'Population and sample size',
      'Population und Fallzahl',
      'n ?= ?\\d+|\\d[\\d.,]* (?:patients?|participants?|subjects?|volunteers?|women|men|adults|images|cases|lesions)|inclusion criteria',
      '\\d[\\d.]* (?:patient\\p{L}*|teilnehm\\p{L}*|proband\\p{L}*|frauen|erwachsene\\p{L}*|aufnahmen|fälle\\p{L}*)|einschlusskriter\\p{L}*',
    ),
    aspect(
      'Endpoints',
      'Endpunkte',
      '(?:primary|secondary|clinical|co-primary|efficacy|safety|surrogate|study) (?:end ?points?|outcomes?)|end ?points? (?:was|were|met|reached|is|are)|end ?points?:|outcome measures?',
      '(?:primäre\\p{L}*|sekundäre\\p{L}*|klinische\\p{L}*) (?:endpunkte?\\p{L}*|zielgröße\\p{L}*|zielkriteri\\p{L}*)|endpunkte?\\p{L}*|zielkriterium',
    ),
    aspect(
      'Results',
      'Ergebnisse',
      'sensitivity|specificity|auc|accuracy|efficacy|response rate|reduction|reduc(?:ed|es)|improv(?:ed|es|ement)|effect size|hazard ratio|survival|agreement|detected',
      'sensitivität|spezifität|wirksamkeit|ansprechrate|reduktion|rückgang|verbesser\\p{L}*|effektstärke|überleben|genauigkeit|schmerz\\p{L}* (?:sank|sinkt|um)|treffsicherheit',
    ),
    aspect(
      'Statistics',
      'Statistik',
      'p ?[<=≤] ?0?[.,]\\d+|confidence interval|95 ?% ci|statistically|significan(?:t|ce)|power(?:ed)? (?:for|to|of)|cohen.?s d',
      'signifikan\\p{L}*|konfidenzintervall|fallzahlplanung|statistisch\\p{L}*',
    ),
    aspect(
      'Safety',
      'Sicherheit',
      'safety|adverse events?|side effects?|tolerab\\p{L}*|complications?|contraindications?',
      'nebenwirkung\\p{L}*|unerwünschte\\p{L}* ereignis\\p{L}*|verträglich\\p{L}*|komplikation\\p{L}*|kontraindikation\\p{L}*|sicherheit',
    ),
  ],
  regulatory: [
    aspect(
      'Class and route',
      'Klasse und Weg',
      'class (?:i|ii|iia|iib|iii|1|2|3)[ab]?|ce.?mark\\p{L}*|ce (?:clearance|certificat\\p{L}*|class|approval)|mdr|ivdr|510\\(k\\)|de novo|fda|ema|breakthrough (?:device|therapy|designation)|orphan|(?:ind|bla|nda|pma) (?:application|filing|submission|approval)|medical device',
      'klasse (?:i|ii|iia|iib|iii)|ce-?kennzeichnung|ce-?zeichen|zulassung\\p{L}*|medizinprodukt\\p{L}*|bfarm|diga(?:-verzeichnis)?|verzeichnis',
    ),
    aspect(
      'Status and notified body',
      'Stand und Benannte Stelle',
      'notified body|certified|certificat(?:e|ion)|approved|approvals?|cleared|clearance|submitted|submission',
      'benannte\\p{L}* stelle|zertifiziert\\p{L}*|zertifikat|zugelassen|genehmigt|eingereicht|antrag\\p{L}*|vorläufig\\p{L}*|dauerhaft\\p{L}*|gelistet',
    ),
    aspect(
      'Quality management',
      'Qualitätsmanagement',
      'iso ?13485|iso ?27001|iso ?14971|iec ?62304|quality (?:management|system)|qms|gmp|gcp|glp',
      'qualitätsmanagement\\p{L}*|qm-system',
    ),
    aspect(
      'Timeline and milestones',
      'Zeitplan und Meilensteine',
      '(?:submission|approval|clearance|launch|certification|filing) (?:\\p{L}+ ){0,4}(?:q[1-4]|20\\d\\d)|(?:q[1-4]|\\p{L}+) 20\\d\\d (?:\\p{L}+ ){0,3}(?:submission|approval|clearance|launch|fda|ce|mdr)|(?:fda|ce|mdr|510\\(k\\)).{0,40}20\\d\\d|20\\d\\d.{0,30}(?:fda|ce mark|mdr|510\\(k\\))',
      '(?:zulassung|antrag|zertifizierung|listung|aufnahme|einreichung).{0,40}20\\d\\d|20\\d\\d.{0,30}(?:zulassung|diga|bfarm|mdr|zertifizierung)',
    ),
    aspect(
      'Reimbursement',
      'Erstattung',
      'reimburs\\p{L}*|payers?|insurers?|fee codes?|cpt|drg|nub|insurance coverage|hta',
      'erstatt\\p{L}*|kostenträger|krankenkassen?|vergütung\\p{L}*|ebm|g-ba|selektivvertr\\p{L}*|gkv-spitzenverband',
    ),
    aspect(
      'Data protection',
      'Datenschutz',
      'gdpr|hipaa|data protection|privacy|anonymi[sz]ed|data never leave|eu (?:servers|hosting)|soc ?2',
      'dsgvo|datenschutz\\p{L}*|datensicherheit|anonymisiert\\p{L}*|pseudonymisiert\\p{L}*|bsi|server\\p{L}* in deutschland',
    ),
    aspect(
      'Other markets',
      'Andere Märkte',
      '(?:us|usa|uk|united states|switzerland|japan|china|canada|france) (?:approval|launch|clearance|market entry|submission|study)|ukca|swissmedic|pmda|nmpa|health canada',
      '(?:usa|uk|schweiz|frankreich|österreich|japan).{0,25}(?:zulassung|start|markteintritt|einführung)',
    ),
  ],
  science: [
    aspect(
      'Mechanism',
      'Mechanismus',
      'mechanisms?|mode of action|binds?|inhibit\\p{L}*|blocks?|activat\\p{L}*|target(?:s|ing)?|pathway|receptor|signal(?:ling|ing)?|causes?|caused by|because|based on|algorithm|trained on|learns|adapts|cognitive beh\\p{L}* therapy|feedback|stimul\\p{L}*',
      'mechanismus|wirkmechanismus|wirkprinzip|bindet|hemmt|blockiert|aktiviert|rezeptor|signalweg|verursacht|ursache\\p{L}*|weil|beruht auf|basiert auf|algorithmus|trainiert|lernt|verhaltenstherapie|aktivierung|muskel\\p{L}*|bewegung',
    ),
    aspect(
      'Rationale',
      'Begründung',
      'hypothes[ie]s|rationale|evidence|guidelines?|known|shown|proven|demonstrated|correlat\\p{L}*|associated with|risk factors?|rare|last only|literature|episodes',
      'hypothese\\p{L}*|begründ\\p{L}*|evidenz|leitlinie\\p{L}*|nachgewiesen\\p{L}*|belegt|gezeigt|korrel\\p{L}*|risikofaktor\\p{L}*|bekannt|literatur',
    ),
    aspect(
      'Evidence given',
      'Genannte Belege',
      'stud(?:y|ies)|trials?|published|peer.reviewed|p ?[<=]|sensitivity|specificity|in vivo|in vitro|preclinical|animal|mice|data from|validated|auc|patients? (?:in|with)',
      'studien?|publizi\\p{L}*|veröffentlicht|sensitivität|spezifität|präklinisch\\p{L}*|tiermodell\\p{L}*|validiert|daten von|ergebnisse',
    ),
    aspect(
      'Gap and validation',
      'Lücke und Prüfung',
      'next (?:study|trial)|randomi[sz]ed|starts in|planned (?:study|trial)|will (?:test|validate|investigate|study)|confirm\\p{L}*|replicat\\p{L}*|not yet|validation',
      'geplante? studie|randomisiert\\p{L}*|startet|noch nicht|bestätig\\p{L}*|validierung|wird (?:geprüft|untersucht)|zulassungsstudie',
    ),
  ],
};

/** Words without which a passage speaks of something else: a phase of a rollout, the trial of an app, an endpoint of an interface. */
const MATTERS: Readonly<Record<SpecialisedKind, RegExp>> = {
  clinical: anyOf(
    'patients?|clinical\\p{L}*|(?:clinical|randomi[sz]ed|controlled) trials?|placebo|sensitivity|efficacy|therap\\p{L}*|diagnos\\p{L}*|disease|treatment|healthy volunteers|participants|dose|symptoms?|biopsy|adverse',
    'patient\\p{L}*|klinisch\\p{L}*|probanden|studienteilnehm\\p{L}*|wirksam\\p{L}*|endpunkt\\p{L}*|therapie\\p{L}*|diagnos\\p{L}*|erkrankung\\p{L}*|behandlung\\p{L}*',
  ),
  regulatory: anyOf(
    'ce.?mark\\p{L}*|ce (?:clearance|certificat\\p{L}*|class|approval)|mdr|ivdr|fda|ema|510\\(k\\)|iso \\d+|class (?:i+[ab]?|[123])|medical devices?|reimburs\\p{L}*|gdpr|hipaa|notified body|regulat\\p{L}*|insurers?|clinical\\p{L}*|soc ?2',
    'zulassung\\p{L}*|bfarm|diga|klasse i+[ab]?|erstatt\\p{L}*|dsgvo|benannte\\p{L}*|medizinprodukt\\p{L}*|regulatorisch\\p{L}*|krankenkassen?|zertifizier\\p{L}*',
  ),
  science: anyOf(
    'clinical\\p{L}*|hypothes\\p{L}*|mechanisms?|evidence|preclinical|patients?|algorithms?|published|therap\\p{L}*|receptors?|molecul\\p{L}*|cells?|disease|diagnos\\p{L}*|symptoms?|brain|muscles?|protein\\p{L}*|gene\\p{L}*|trained (?:on|ai)|machine learning|treatment',
    'klinisch\\p{L}*|hypothese\\p{L}*|mechanismus|evidenz|präklinisch\\p{L}*|patient\\p{L}*|algorithmus|wirk\\p{L}*|therapie\\p{L}*|erkrankung\\p{L}*|zellen?|diagnos\\p{L}*|gehirn|muskel\\p{L}*|verhaltens\\p{L}*',
  ),
};
const AT: Readonly<Record<SpecialisedKind, readonly Subject[]>> = {
  clinical: ['evidence'],
  regulatory: ['regulatory'],
  science: ['evidence', 'solution'],
};
const ELSEWHERE: readonly Subject[] = [
  'ask',
  'funds',
  'team',
  'hiring',
  'sales',
  'market',
  'model',
  'pricing',
  'financials',
  'competition',
];
const OTHER_SENSE = anyOf(
  'free trials?|trial (?:period|version|month)|case stud(?:y|ies)|market (?:study|research)|api|endpoint receiving|raising|hiring|revenue|market share|testphase|kostenlos testen|umsatz|kapitalbedarf',
);

interface Finding {
  readonly aspect: Aspect;
  readonly item: EvidenceItem;
}

function find(prompt: ReadPrompt, kind: SpecialisedKind): Finding[] {
  const found: Finding[] = [];
  const used = new Set<string>();
  for (const part of ASPECTS[kind]) {
    const about = topic({
      at: under(null, ...AT[kind]),
      says: part.words,
      with: MATTERS[kind],
      notAt: ELSEWHERE,
      not: OTHER_SENSE,
    });
    const choice = choosePassages(prompt.slides, about).find(
      ({ passage }) => !used.has(`${passage.slide.number} ${passage.quote}`),
    );
    if (choice === undefined) continue;
    const { slide, quote } = choice.passage;
    used.add(`${slide.number} ${quote}`);
    found.push({ aspect: part, item: { slide: slide.number, quote } });
  }
  return found;
}

/** Reads the deck as the specialist of that kind. */
export function specialised(kind: SpecialisedKind): (prompt: ReadPrompt) => SpecialisedAnalysisOutput {
  return (prompt) => {
    const german = prompt.language === 'de';
    const found = isTemplate(prompt) ? [] : find(prompt, kind);
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
