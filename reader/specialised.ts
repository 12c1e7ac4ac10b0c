/**
 * The specialised readings (clinical, regulatory, scientific): one aspect after the other, each with what the deck says about it, word for
 * word. An aspect that the deck does not touch is named as missing; with nothing at all the reading says so.
 */
import type { SpecialisedKind } from '../domain/models/model-tasks.ts';
import type { EvidenceItem, SpecialisedAnalysisOutput } from '../domain/models/result-schemas.ts';
import { nothingSaid } from './answer-question.ts';
import { chooseUnits, type Choice } from './choose.ts';
import type { ReadPrompt } from './prompt.ts';
import { countWords, MIN_QUOTE_WORDS, quoteOf } from './text.ts';
import { topic } from './topic.ts';
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
      'stud(?:y|ies)|trials?|randomi[sz]ed|rct|prospective|multicent\\p{L}*|controlled|blind(?:ed)?|cohort|phase (?:1|2|3|i|ii|iii)[ab]?|registry',
      'studien?|pilotstudie|randomisiert\\p{L}*|prospektiv\\p{L}*|multizentrisch\\p{L}*|kontrolliert\\p{L}*|kontrollgruppe|kohorte|zulassungsstudie',
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
      'endpoints?|primary outcome|outcomes?|primary|secondary',
      'endpunkte?\\p{L}*|zielgröße|primär\\p{L}*|sekundär\\p{L}*|zielkriterium',
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
      'class (?:i|ii|iia|iib|iii|1|2|3)[ab]?|ce.?mark\\p{L}*|ce|mdr|ivdr|510\\(k\\)|de novo|pma|fda|ema|breakthrough|orphan|ind|bla|nda|predicate',
      'klasse (?:i|ii|iia|iib|iii)|ce-?kennzeichnung|ce-?zeichen|zulassung\\p{L}*|medizinprodukt\\p{L}*|bfarm|diga(?:-verzeichnis)?|verzeichnis',
    ),
    aspect(
      'Status and notified body',
      'Stand und Benannte Stelle',
      'notified body|certified|certificate|approved|approval|cleared|granted|submitted|submission|audit',
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
      'reimburs\\p{L}*|payers?|insurers?|tariff|fee code|cpt|drg|nub|coverage|additional fee|hta|nice',
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

const HEALTH_MATTERS: Readonly<Record<SpecialisedKind, RegExp>> = {
  clinical: anyOf(
    'patients?|clinical\\p{L}*|trials?|stud(?:y|ies)|endpoint\\p{L}*|sensitivity|efficacy|therap\\p{L}*',
    'patient\\p{L}*|klinisch\\p{L}*|studien?|probanden|teilnehm\\p{L}*|wirksam\\p{L}*|endpunkt\\p{L}*',
  ),
  regulatory: anyOf(
    'ce|mdr|ivdr|fda|510\\(k\\)|iso \\d+|class i+[ab]?|approval|cleared|reimburs\\p{L}*|gdpr|hipaa|notified body|certified',
    'zulassung\\p{L}*|bfarm|diga|klasse i+[ab]?|erstatt\\p{L}*|dsgvo|benannte\\p{L}*|zertifiziert\\p{L}*|medizinprodukt\\p{L}*',
  ),
  science: anyOf(
    'study|studies|trial|hypothes\\p{L}*|mechanism|evidence|preclinical|patients?|algorithm|published|therapy|receptor|molecule',
    'studien?|hypothese\\p{L}*|mechanismus|evidenz|präklinisch\\p{L}*|patient\\p{L}*|algorithmus|wirk\\p{L}*|therapie\\p{L}*',
  ),
};

const HEADING_OF: Readonly<Record<SpecialisedKind, RegExp>> = {
  clinical: anyOf(
    'clinical|evidence|study|trial|validation|results',
    'klinisch\\p{L}*|evidenz|studie\\p{L}*|ergebnisse|wirksamkeit|nachweis',
  ),
  regulatory: anyOf(
    'regulatory|regulation|approval|roadmap|market access|compliance|reimbursement',
    'zulassung\\p{L}*|regulatorisch\\p{L}*|roadmap|fahrplan|meilensteine|marktzugang|erstattung',
  ),
  science: anyOf(
    'science|technology|mechanism|evidence|how it works|approach|clinical',
    'wissenschaft\\p{L}*|technologie|mechanismus|evidenz|ansatz|wirkprinzip|studie\\p{L}*',
  ),
};

interface Finding {
  readonly aspect: Aspect;
  readonly choice: Choice;
  readonly item: EvidenceItem;
}

function find(prompt: ReadPrompt, kind: SpecialisedKind): Finding[] {
  const found: Finding[] = [];
  const used = new Set<string>();
  for (const part of ASPECTS[kind]) {
    const about = topic(part.words, {
      weak: HEALTH_MATTERS[kind],
      heading: HEADING_OF[kind],
      avoid: anyOf('raising|hiring|revenue|market share|umsatz|kapitalbedarf'),
    });
    const choice = chooseUnits(prompt.slides, about, 2.4).find(
      (c) => c.direct && !used.has(`${c.slide.number} ${c.unit.lower}`),
    );
    if (choice === undefined) continue;
    const quote = quoteOf(choice.slide.units, choice.unit.index);
    if (countWords(quote) < MIN_QUOTE_WORDS) continue;
    used.add(`${choice.slide.number} ${choice.unit.lower}`);
    found.push({ aspect: part, choice, item: { slide: choice.slide.number, quote } });
  }
  return found;
}

/** Reads the deck as the specialist of that kind. */
export function specialised(kind: SpecialisedKind): (prompt: ReadPrompt) => SpecialisedAnalysisOutput {
  return (prompt) => {
    const german = prompt.language === 'de';
    const found = find(prompt, kind);
    const missing = ASPECTS[kind].filter((part) => !found.some((finding) => finding.aspect === part));
    if (found.length === 0) return { evidence: [], covered: 'no', points: [], summary: nothingSaid(prompt.language) };
    const name = (part: Aspect): string => (german ? part.german : part.english);
    const points = found.map(({ aspect: part, item }, index) => ({
      heading: kind === 'science' ? `${index + 1}. ${name(part)}` : name(part),
      text: german ? `Folie ${item.slide}: „${item.quote}“` : `Slide ${item.slide}: "${item.quote}"`,
    }));
    const gaps = missing.map(name).join(', ');
    if (missing.length > 0 && kind !== 'science') {
      points.push({
        heading: german ? 'Fehlt' : 'Missing',
        text: german ? `Nicht angesprochen: ${gaps}.` : `Not addressed: ${gaps}.`,
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
