/**
 * Chooses the sector by evidence in words: the keywords the prompt lists, words of health care in general, and words of each sector that
 * the prompt may not list. The offering counts most. Without health all through the deck it is `other`: health as an example is not health.
 */
import { SECTOR_SLUGS, type ClassifySectorOutput, type SectorSlug } from '../domain/models/result-schemas.ts';
import type { ReadPrompt } from './prompt.ts';
import { coverAt } from './subjects.ts';
import { countWords } from './text.ts';
import { anyOf, distinctMatches, has } from './words.ts';

const HEALTH = anyOf(
  'patient\\p{L}*|hospitals?|clinic(?:s|al|ally|ians?)?|physicians?|doctors?|nurses?|nursing|medical|medicines?|diseases?|disorders?|health(?:care)?(?! (?:clubs?|and fitness))|therap(?:y|ies|ist|ists|eutic|eutics)|diagnos\\p{L}*|surg(?:ery|eon|eons|ical)|symptoms?|drugs?|pharma\\p{L}*|cancer|tumou?rs?|diabetes|stroke|cardiac|cardio\\p{L}*|pain(?! points?)|insomnia|depression|anxiety|biotech|wellness|nutrition|sleep|fitness|fertility|caregivers?|fda|mdr|ce.mark\\p{L}*|reimbursement|insurers|icd|medtech|wellbeing|menopause|epilep\\p{L}*|seizures?|asthma\\p{L}*|copd|alzheimer\\p{L}*|dementia|parkinson\\p{L}*|migraine|arthritis|obesity|allerg\\p{L}*|infections?|kidneys?|tinnitus|lungs?|vaccin\\p{L}*|antibiotic\\p{L}*|demenz|infektion\\p{L}*|herz\\p{L}*|niere\\p{L}*|lunge\\p{L}*|impf\\p{L}*',
  '\\p{L}*(?:arzt|ärzt|klinik|medizin|patient|apothek|krank|therap|psych|chirurg|diagnos|notaufnahm|wechseljahr)\\p{L}*|emergency (?:rooms?|departments?)|wards?|mental|blood|rehabilitation|micronutrients?|bluttest\\p{L}*|\\p{L}*nährstoff\\p{L}*|nahrungsergänz\\p{L}*|x-ray|pflege\\p{L}*|medizin\\p{L}*|krankheit\\p{L}*|erkrank\\p{L}*|gesundheit\\p{L}*|diagnost\\p{L}*|operationssaal|op-säle|symptom\\p{L}*|krebs\\p{L}*|schmerz\\p{L}*|schlaf\\p{L}*|kranken(?:kasse|kassen|versicher\\p{L}*)|praxis|praxen|rezept|verordn\\p{L}*|apothek\\p{L}*|physio\\p{L}*|reha\\p{L}*|wechseljahre|ernährung\\p{L}*|chirurg\\p{L}*|befund\\p{L}*|wund\\p{L}*',
);

/** Medicine for animals is no health care of people. */
const ANIMALS = anyOf(
  'vets?|veterinar\\p{L}*|pets?|dogs?|cats?|puppies|horses?|cattle|cows?|livestock|poultry|pigs?',
  'tier(?:e|en|arzt|ärzt|medizin|klinik|halter)?\\p{L}*|haustier\\p{L}*|hunde?n?|katzen?|pferde?n?|rinder\\p{L}*|kühe?n?|schweine?\\p{L}*',
);
/** On so many of the slides a deck about animals names them. */
const ANIMAL_SHARE = 0.4;

/** Words beside the prompt's keywords; two sectors may share one, the sum decides. */
const OWN_WORDS: Readonly<Record<SectorSlug, RegExp>> = {
  digital_therapeutics: anyOf(
    'digital therap\\p{L}*|dtx|diga|(?:therapy|treatment|therapeutic) (?:app|program|programme)|prescription (?:app|software)|on prescription|prescribed app|cbt|cognitive beh\\p{L}* therapy|app-based (?:therapy|treatment)|app auf rezept|therapie-?app|bfarm|behandlungsprogramm|therapieprogramm|digitale therapie|rezept|verordn\\p{L}*|exercises|übungen|self-guided|therapy modules?|app (?:that )?treats|patienten-?app|rückenschmerz\\p{L}*|physiotherap\\p{L}*',
  ),
  healthcare_infrastructure: anyOf(
    'ehr|emr|fhir|hl7|kis|hospital (?:information|operations|workflow|management|it|logistics)|bed management|documentation|dokumentation|discharge letters?|klinik-?logistik\\p{L}*|klinik-?software|\\p{L}*apotheken|stock|bestände?|hospital pharmac\\p{L}*|medication records?|nursing homes?|scheduling|dienstplan\\p{L}*|shift planning|discharge|entlass\\p{L}*|billing|abrechnung|(?:clinical|medical) coding|interoperab\\p{L}*|patientenakte|practice software|praxissoftware|care homes?|pflegeheim\\p{L}*|pflegedienst\\p{L}*|workflow|ward staff|station|op-?plan\\p{L}*|operating room|revenue cycle|prior authori[sz]ation|claims',
  ),
  telemedicine: anyOf(
    'tele(?:medicine|health|consult\\p{L}*|care|derma\\p{L}*|psych\\p{L}*|radiolog\\p{L}*|triage|monitoring|medizin\\p{L}*|sprechstunde|arzt|konsil\\p{L}*)|video (?:consultations?|visits?|appointments?|calls?)|videosprechstunde\\p{L}*|online (?:consultations?|doctor|appointments?)|remote (?:care|monitoring|consultations?|visits?|patient)|virtual (?:visits?|care|clinic|ward|consultations?)|at a distance|fernbehandlung|asynchronous|online-?sprechstunde\\p{L}*|\\p{L}*sprechstunde\\p{L}*|per video|virtual nurse|readmi\\p{L}*|chat with (?:a )?doctors?|second opinion|zweitmeinung',
  ),
  diagnostics_devices: anyOf(
    'devices?|patch|sensors?|ecg|ekg|eeg|wear(?:s|ing|ed)?|implant\\p{L}*|catheter|scanner|probe|assays?|test kit|rapid test|schnelltest|blood test|bluttest|biomarkers?|sensitivity|specificity|spezifität|sensitivität|ivdr?|510\\(k\\)|class ii[ab]?|klasse ii[ab]?|iso 13485|medizinprodukt|gerät\\p{L}*|messgerät|pflaster|ultrasound|ultraschall|imaging device|cartridge|kartusche|point.of.care|hardware|wearables?|wristbands?|armband|\\p{L}*(?:pflaster|sensor|sensoren|messgerät|implantat|elektroden|kamera)\\p{L}*|measures?|misst|probes?|camera|needle|electrodes?|elektrode\\p{L}*|laser|surgical|instrument\\p{L}*|monitor|detects?|electrocardiogram',
  ),
  biotech_pharma: anyOf(
    'antibiotics?|antibiotik\\p{L}*|bacteri\\p{L}*|bakteri\\p{L}*|phages?|pathogens?|erreger\\p{L}*|infections?|resistan\\p{L}*|immun\\p{L}*|virus|viral|cells?|zellen|genom\\p{L}*|dose|dosis|formulation|engineered|microbiolog\\p{L}*|molecules?|moleküle?|compounds?|preclinical|präklini\\p{L}*|phase (?:1|2|3|i|ii|iii|ib|iia|1b|2a)|ind(?:-enabling)?|pharmacokinetic\\p{L}*|(?:drug|molecular|therapeutic) targets?|receptor|rezeptor|kinase|inhibitor\\p{L}*|antibod\\p{L}*|antikörper\\p{L}*|mrna|vaccine\\p{L}*|impfstoff\\p{L}*|gene therapy|gentherapie|cell therapy|zelltherapie|crispr|lead (?:candidate|compound|programme|program)|leitsubstanz|wirkstoff\\p{L}*|drug (?:discovery|candidate|development|delivery)|orphan|in vivo|in vitro|mouse|mice|maus\\p{L}*|toxicolog\\p{L}*|toxikolog\\p{L}*|gmp|peptide?s?|protein\\p{L}*|oncology|onkologie|cro|biologics?|enzymes?',
  ),
  health_data_ai: anyOf(
    'ai|ki|machine learning|deep learning|maschinelle\\p{L}* lernen|neural|algorithms?|algorithm\\p{L}*|(?:ai|ml|language|learning|predictive|prediction|foundation|trained|neural|risk) models?|(?:ki|sprach|vorhersage|risiko)-?modell\\p{L}*|training data|trainingsdaten|data ?sets?|datensätze?|auc|auroc|radiolog\\p{L}*|patholog\\p{L}*|ct scans?|ct|mri|mrt|x-?rays?|röntgen\\p{L}*|decision support|entscheidungs\\p{L}*|real.world (?:data|evidence)|federated|risk (?:scores?|prediction)|risiko\\p{L}*|predicts?|vorhersag\\p{L}*|data platform|datenplattform|registry|registerdaten|versorgungsdaten|anonymi[sz]\\p{L}*|trial data|images?',
  ),
  consumer_health: anyOf(
    'consumers?|micronutrients?|mikronährstoff\\p{L}*|gesundheitsbewusste\\p{L}*|d2c|dtc|direct.to.consumer|wellness|wellbeing|wohlbefinden|fitness|nutrition|ernährung\\p{L}*|supplements?|nahrungsergänzung\\p{L}*|vitamins?|sleep|schlaf|stress|mindful\\p{L}*|meditation|fertility|cycle|zyklus|menopause|wechseljahre|longevity|habit|gewohnheit\\p{L}*|abo|subscription|subscribers?|abonnent\\p{L}*|app store|wearables?|women|frauen|self.care|coaching|retail|drogerie\\p{L}*|dm|personali[sz]ed (?:plan|nutrition)|without (?:a )?prescription|rezeptfrei',
  ),
  healthcare_marketplaces: anyOf(
    'marketplaces?|online marketplace|buyers?|sellers?|käufer\\p{L}*|verkäufer\\p{L}*|refurbished|listings?|escrow|marktplatz|marktplätze|two.sided|both sides|beide seiten|match(?:es|ing)?|vermittl\\p{L}*|book(?:ing|s|ed)?|buch(?:en|ung|ungen)|take rate|provision|commission|gmv|supply and demand|staffing|locum\\p{L}*|shifts?|schichten|pflegekräfte|freelance\\p{L}*|providers? (?:list|join)|terminbuchung|online.pharmacy|versandapotheke|procurement|einkaufsplattform|liquidity|vetted',
  ),
  other: anyOf(
    'fintech|payments?|zahlung\\p{L}*|e-?commerce|onlinehandel|logisti\\p{L}*|warehous\\p{L}*|lager|freight|fracht|carriers?|trucks?|lkw|ports?|containers?|supply chain|lieferkette\\p{L}*|factory|fabrik\\p{L}*|maschinenbau|machines?|manufactur\\p{L}*|fertigung|climate|klima\\p{L}*|carbon|co2|emissions?|solar|photovoltaik|energy|energie\\p{L}*|grid|stromnetz|batter(?:y|ies)|batterie\\p{L}*|farm(?:s|ers|ing)?|landwirt\\p{L}*|crops?|real estate|immobilien|tenants?|mieter|schools?|schulen|students?|schüler\\p{L}*|edtech|cyber\\p{L}*|developers?|devops|ev|e-mobility|charging|mobility|mobilität|construction|bau\\p{L}*|retailers?|händler|hotels?|restaurants?|gastronomie|law firms?|kanzlei\\p{L}*|tax|steuer\\p{L}*|accounting|buchhaltung|recruit\\p{L}*|insurtech|gaming|fashion|mode',
  ),
};

/** Times different words were found; a word often repeated counts a little more than once. */
function weightOf(text: string, pattern: RegExp): number {
  const counts = new Map<string, number>();
  for (const match of text.matchAll(pattern)) {
    const word = match[0].toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, n) => sum + Math.min(2.5, 1 + Math.log2(n) / 2), 0);
}

/** Prompt keywords, as words with any ending for the longer ones. */
function keywordPattern(keywords: readonly string[]): RegExp | null {
  if (keywords.length === 0) return null;
  const words = keywords.map((word) => `${RegExp.escape(word)}${word.length >= 6 ? '\\p{L}*' : ''}`);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const CARE = /patient|clinical|hospital|klinik|ärzt/iu;

interface Weighed {
  readonly slug: SectorSlug;
  readonly weight: number;
  readonly words: readonly string[];
}

const isSlug = (slug: string): slug is SectorSlug => (SECTOR_SLUGS as readonly string[]).includes(slug);

function weigh(prompt: ReadPrompt, deck: string): Weighed[] {
  const offered =
    prompt.sectors.length > 0 ? prompt.sectors : SECTOR_SLUGS.map((slug) => ({ slug, name: slug, keywords: [] }));
  const cover = prompt.slides[coverAt(prompt.slides)]?.text ?? '';
  return offered.flatMap(({ slug, keywords }) => {
    if (!isSlug(slug)) return [];
    const patterns = [OWN_WORDS[slug], keywordPattern(keywords)].filter((pattern) => pattern !== null);
    let weight = 0;
    const words: string[] = [];
    for (const pattern of patterns) {
      weight += weightOf(prompt.offering, pattern) * 4 + weightOf(cover, pattern) * 1.5 + weightOf(deck, pattern);
      words.push(...[...`${prompt.offering}\n${deck}`.matchAll(pattern)].map((match) => match[0]));
    }
    // A deck about patients sells to medicine, not to consumers.
    if (slug === 'consumer_health' && CARE.test(deck)) weight *= 0.6;
    return [{ slug, weight, words: [...new Set(words.map((word) => word.trim()))] }];
  });
}

/** True when health is what the deck is about: on many slides and in several words, or on some and in what it offers. */
function isAboutHealth(prompt: ReadPrompt): { health: boolean; share: number } {
  const perSlide = prompt.slides.map((slide) => distinctMatches(slide.text, HEALTH));
  const share = perSlide.filter((words) => words.size > 0).length / Math.max(1, perSlide.length);
  const distinct = new Set(perSlide.flatMap((words) => [...words])).size;
  // A gym is no health care by itself.
  const cover = prompt.slides[coverAt(prompt.slides)]?.text ?? '';
  const animals = prompt.slides.map((slide) => distinctMatches(slide.text, ANIMALS));
  const ofAnimals =
    animals.filter((words) => words.size > 0).length >= ANIMAL_SHARE * prompt.slides.length &&
    new Set(animals.flatMap((words) => [...words])).size >= 2;
  const central = has(`${prompt.offering}\n${cover}`.replaceAll(/fitness/giu, ' '), HEALTH);
  return {
    health: !ofAnimals && ((share >= 0.25 && distinct >= 4) || (share >= 0.14 && distinct >= 2 && central)),
    share,
  };
}

/** Words that every English or German text has: without them the deck could not be read. */
const COMMON = anyOf(
  'the|of|and|to|in|for|with|is|are|that|on|by|from|our|we|a|an',
  'der|die|das|und|für|mit|ist|sind|ein|eine|den|von|zu|im|wir|auf|nicht',
);
/** So many readable words are enough to be sure. */
const ENOUGH_WORDS = 500;
/** A text has about one common word in five. */
const WORDS_PER_COMMON = 6;

/** How much of a deck was read as English or German, 0 to 1. */
function readShare(deck: string): number {
  const common = deck.match(COMMON)?.length ?? 0;
  return Math.min(1, Math.min(countWords(deck), common * WORDS_PER_COMMON) / ENOUGH_WORDS);
}

/** Confidence, in percent, in `other` for a deck of which nothing could be read. */
const OTHER_LEAST = 35;
/** Weight of words of other trades that is enough to be sure. */
const OTHER_WEIGHT = 15;

/** The sector with reasons and an honest confidence. */
export function classifySector(prompt: ReadPrompt): ClassifySectorOutput {
  const deck = prompt.slides
    .flatMap((slide) => slide.units.filter((unit) => !unit.running).map((unit) => unit.text))
    .join('\n');
  const { health, share } = isAboutHealth(prompt);
  const weighed = weigh(prompt, deck).toSorted((a, b) => b.weight - a.weight);
  const other = weighed.find((entry) => entry.slug === 'other');
  const healthSectors = weighed.filter((entry) => entry.slug !== 'other');
  const ranked = health ? healthSectors : [other ?? { slug: 'other' as const, weight: 0, words: [] }, ...healthSectors];
  const [top, second] = ranked;
  if (top === undefined || deck.trim() === '' || (health && top.weight === 0)) return weak(prompt);
  const margin = second === undefined || top.weight === 0 ? 1 : Math.max(0, (top.weight - second.weight) / top.weight);
  const read = readShare(deck);
  const confidence = health
    ? Math.round((45 + 50 * Math.min(1, margin * 1.2)) * Math.min(1, 0.5 + top.weight / 20))
    : Math.round(OTHER_LEAST + 25 * read + 35 * read * Math.min(1, top.weight / OTHER_WEIGHT) - share * 150);
  const words = top.words.filter((word) => word.length <= 40).slice(0, 8);
  const rival = second !== undefined && health && margin < 0.25 ? second.slug : 'none';
  return {
    reasoning: reasoning(prompt, top.slug, words, health, second?.slug ?? null),
    keywords: words,
    sector: top.slug,
    secondarySector: rival,
    confidencePercent: Math.min(97, Math.max(20, confidence)),
  };
}

function weak(prompt: ReadPrompt): ClassifySectorOutput {
  const reason =
    prompt.language === 'de'
      ? 'Das Deck sagt zu wenig, um es einem Sektor zuzuordnen.'
      : 'The deck says too little to assign it to a sector.';
  return { reasoning: reason, keywords: [], sector: 'other', secondarySector: 'none', confidencePercent: 30 };
}

function reasoning(
  prompt: ReadPrompt,
  slug: SectorSlug,
  words: readonly string[],
  health: boolean,
  second: string | null,
): string {
  const nameOf = (wanted: string): string => prompt.sectors.find((sector) => sector.slug === wanted)?.name ?? wanted;
  const found = words.map((word) => `"${word}"`).join(', ');
  if (prompt.language === 'de') {
    const base = health
      ? `Das Deck handelt von Gesundheit; für ${nameOf(slug)} sprechen die Wörter ${found}.`
      : `Wörter der Gesundheitsversorgung kommen kaum vor${found === '' ? '' : `, dafür ${found}`}.`;
    return (second === null || !health ? base : `${base} Am nächsten liegt danach ${nameOf(second)}.`).slice(0, 600);
  }
  const base = health
    ? `The deck is about health; the words ${found} speak for ${nameOf(slug)}.`
    : `Words of health care hardly occur${found === '' ? '' : `; ${found} do instead`}.`;
  return (second === null || !health ? base : `${base} The next best is ${nameOf(second)}.`).slice(0, 600);
}
