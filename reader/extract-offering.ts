/**
 * Finds the sentence that says what the company offers: a noun of a product or service with what it does and for whom, on the title slide,
 * the solution slide, or wherever the company defines itself.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { extractCompanyName } from './extract-company-name.ts';
import { NOT_STATED } from './extract-funding.ts';
import { findMoney } from './money-words.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { quoteOf, type TextUnit } from './text.ts';
import { anyOf, countDistinct, has } from './words.ts';

const PRODUCT = anyOf(
  'ai|platforms?|software|apps?|applications?|patch|patches|devices?|marketplaces?|services?|systems?|tools?|solutions?|tests?|sensors?|robots?|networks?|programs?|programmes?|library|therap(?:y|ies|eutics?)|drugs?|vaccines?|assays?|implants?|wearables?|assistants?|copilots?|engines?|models?|algorithms?|api|apis|hardware|machines?|materials?|kits?|clinics?|subscriptions?|infrastructure|dashboards?|suite|saas|molecules?|antibod(?:y|ies)|compounds?|treatments?|scanners?|monitors?|monitoring|analytics|batter(?:y|ies)|bikes?|drones?|coach(?:ing)?|training|courses?|exchange|bank|insurance|card|wallet|operating system|scheduling|matching|chatbots?|agents?|toolkit|catheters?|inhalers?|pumps?|supplements?|products?',
  'ki|[\\p{L}-]*(?:plattform|plattformen|anwendung|gerät|geräte|marktplatz|dienst|dienste|dienstleistung|werkzeug|lösung|lösungen|schnelltest|roboter|netzwerk|programm|programme|therapie|therapien|wirkstoff|wirkstoffe|impfstoff|implantat|assistent|assistenz|modell|algorithmus|sensorik|sensor|system|systeme|software|app|apps|test|tests|pflaster|verfahren|maschine|maschinen|anlage|anlagen|material|speicher|batterie|produkt|produkte|sprechstunde|überwachung|begleiter|pumpe|kapsel|matratze|bett|drohne|baukasten|abo|shop|portal|cloud|messgerät|kur|training|kurs)',
);
const DOES = anyOf(
  'that|which|lets?|helps?|enables?|allows?|detects?|automates?|predicts?|reduces?|cuts?|connects?|finds?|treats?|measures?|monitors?|turns?|replaces?|makes?|delivers?|saves?|brings?|matches|plans?|prevents?|supports?|guides?|analyses|analyzes|gives|shows|tells|for|to',
  'die|der|das|den|dem|mit|für|zum|zur|damit|ermöglicht|erkennt|hilft|automatisiert|verbindet|findet|misst|überwacht|ersetzt|senkt|spart|macht|bringt|behandelt|unterstützt|begleitet|plant|verhindert|lindert|vermittelt|reduziert|verkürzt|führt|zeigt',
);
const DEFINES = anyOf(
  'we (?:build|offer|provide|develop|make|sell|are building|have built|have developed|created?)|our (?:product|solution|platform|software|app|device|service|technology)(?: is)?|is (?:a|an|the)|offers|provides|develops',
  'wir (?:bauen|bieten|entwickeln|liefern|verkaufen|machen|haben)|unsere? (?:produkt|lösung|plattform|software|app|gerät|dienst|technologie)(?: ist)?|ist (?:ein|eine|die|das|der)|bietet|entwickelt',
);
const SOLUTION_HEADING = anyOf(
  'solutions?|product|what we (?:do|build|offer)|how it works|our (?:approach|platform|technology|answer)|meet|introducing|about|offering|idea|lösung|produkt|was wir (?:tun|machen|bieten)|so funktioniert(?: es)?|wie es funktioniert|unser (?:ansatz|produkt|angebot)|unsere (?:lösung|plattform|antwort|technologie)|über uns|angebot|idee|in one sentence|in einem satz|at a glance|auf einen blick',
);
const OTHER_HEADING = anyOf(
  'problem|market|markt|team|competition|competitors?|wettbewerb\\p{L}*|ask|funding|finanz\\p{L}*|roadmap|traction|financials?|use of funds|mittelverwendung|risks?|risiken|contact|kontakt|business model|geschäftsmodell|pricing|milestones|meilensteine|today|heute|bisher|why|warum|customers?|kunden|evidence|evidenz|studie\\p{L}*',
);
const NOT_OFFERING = anyOf(
  'we are raising|competing|unlike|no other|raised|founded|partners|occasion|künftigen|revenue|market (?:size|grows)|competitors?|million (?:people|patients)|billion|growing|customers pay|runway|confidential|presentation|investors?|suffer|suffers|struggle|lose|loses|waste|wasted|today,?|currently|unfortunately|nobody|no one|hiring|quote|said|survey|source',
  'umsatz|gegründet|kapitalbedarf|wettbewerber|leiden|vertraulich|präsentation|investoren|derzeit|leider|niemand|verlieren|verschwenden|quelle|umfrage|wir suchen|heute noch|bislang|bisher',
);
const PERSON = anyOf(
  'ceo|cto|coo|cfo|cmo|head of|co-?founder|founder|gründer\\p{L}*|geschäftsführer\\p{L}*|prof|dr|years? (?:at|of|in)|jahre',
);

interface Candidate {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  readonly score: number;
}

function rate(prompt: ReadPrompt, slide: ReadSlide, unit: TextUnit, company: string): number {
  if (unit.words < 4 || unit.words > 45 || unit.running || unit.steering || unit.text.endsWith('?')) return 0;
  const { text } = unit;
  const products = countDistinct(text, PRODUCT);
  const [first] = prompt.slides;
  // A subtitle may say it without a noun that is on the list.
  const subtitle =
    slide === first &&
    unit.words >= 5 &&
    /\s(?:for|that|which|für|die|der|das)\s/u.test(text.split(/\s+/u).slice(1).join(' '));
  if (products === 0 && !subtitle) return 0;
  const heading = slide.units[0]?.text ?? '';
  const title = slide === first;
  let score = Math.min(products, 2) * 1.5 + Math.min(countDistinct(text, DOES), 3) * 0.8;
  if (title) score += 5.5;
  else if (has(heading, SOLUTION_HEADING)) score += 2.5;
  else if (has(heading, OTHER_HEADING)) score -= 2.5;
  if (unit.heading && !title) score -= 2;
  if (has(text, DEFINES)) score += 1.5;
  if (
    company !== '' &&
    new RegExp(
      `(?:^|\\s)${RegExp.escape(company)}\\s+(?:is|ist|offers|provides|builds|develops|bietet|entwickelt|helps|hilft|connects|verbindet)\\s`,
      'iu',
    ).test(text)
  )
    score += 3;
  // A noun of a product in the first words defines; at the end it is mentioned.
  if (has(text.split(/\s+/u).slice(0, 6).join(' '), PRODUCT)) score += 1.5;
  if (unit.words >= 8 && unit.words <= 30) score += 1.5;
  score -= countDistinct(text, NOT_OFFERING) * 2;
  if (findMoney(text).length > 0) score -= 2;
  if (has(text, PERSON)) score -= 2;
  score -= Math.min(2, (text.match(/\d+/gu)?.length ?? 0) * 0.4);
  if (/^["“„«]/u.test(text)) score -= 3;
  // Earlier slides say what; later ones say how, why and how much.
  score -= Math.min(2.5, prompt.slides.indexOf(slide) * 0.2);
  return score;
}

const LEAST_SCORE = 4;

/** One sentence on the offering, as the deck words it, or not stated. */
export function extractOffering(prompt: ReadPrompt): ExtractValueOutput {
  const company = extractCompanyName(prompt).value;
  const candidates: Candidate[] = [];
  for (const slide of prompt.slides) {
    for (const unit of slide.units) {
      const score = rate(prompt, slide, unit, company);
      if (score >= LEAST_SCORE) candidates.push({ slide, unit, score });
    }
  }
  const best = candidates.toSorted((a, b) => b.score - a.score || a.slide.number - b.slide.number)[0];
  if (best === undefined) return NOT_STATED;
  return {
    evidence: [{ slide: best.slide.number, quote: quoteOf(best.slide.units, best.unit.index) }],
    stated: true,
    value: withoutCompany(best.unit.text, company).slice(0, 300),
  };
}

/** "CardioSense is a patch that …" becomes "A patch that …"; a full stop at the end goes. */
function withoutCompany(text: string, company: string): string {
  let value = text.replace(/[.!]$/u, '').trim();
  if (company !== '') {
    const lead = new RegExp(
      `^${RegExp.escape(company)}(?:\\s+(?:GmbH|AG|Inc\\.?|Ltd\\.?))?(?:\\s+(?:is|ist)\\s+|\\s*[:–—-]\\s+)`,
      'iu',
    );
    value = value.replace(lead, '');
  }
  return value.charAt(0).toUpperCase() + value.slice(1);
}
