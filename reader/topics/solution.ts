/** Cues of the questions on the solution and its rivals. */
import { MONEY, moneyOrPercent, PERCENT, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';
import { TROUBLE, OUR_ANSWER } from './shared.ts';

/** A row that compares products, or words on competitors. */
const COMPARED =
  /(?:(?<!\p{L})(?:yes|no|partial(?:ly)?|ja|nein|teilweise|[✓✔✗✘×])(?!\p{L})\s*){2,}|(?<!\p{L})(?:competitors?|wettbewerber)(?!\p{L})/giu;
/** A row of a comparison in which one has what another has not. */
const ONE_NOT_OTHER =
  /(?=[^]*(?:[✓✔☑✅●]|(?<!\p{L})(?:yes|ja)(?!\p{L})))(?=[^]*(?:[✗✘✕❌○◯◐]|(?<=\s)[–—-](?=\s|$)|(?<!\p{L})(?:no|nein|partly|partial|teilweise)(?!\p{L})))^\p{L}/giu;
/** A row of a comparison with figures: "Energy per unit 40 kWh 12 kWh 9 kWh". */
const ROW_OF_FIGURES = String.raw`^\p{L}[^\d]{2,40}(?:[^\s\d]{0,3}\s?\d[\d.,]*(?:[–-]\d[\d.,]*)?\+?\s?[^\s\d]{0,4}\s*(?:p\.a\.)?\s+){2,}\S*\d`;
/** What was measured with and without: "Days until treated 19 4", "Overtime 212 h 130 h". */
const MEASURED_TWICE = String.raw`^\p{L}[^\d]{3,50}\d[\d.,]*(?:\s?(?:[^\s\d]{1,3}|min|std|[\d.,]+))?\s+\d[\d.,]*\s?\S{0,3}(?:\s\d+)?$`;
/** One figure against another. */
const AGAINST = String.raw`\d[\d.,]*\s?(?:[^\s\d]{1,3}|\p{L}+)? ?(?:vs\.?|versus|against|instead of|rather than|statt|gegenüber)\s[^.;]{0,20}\d|(?:goes|went|go|rose|falls?|fell|dropped|increased|decreased|sank|stieg|sinkt|steigt|fiel) (?:[^.;\d]{0,40} )?(?:by|um) \d[\d.,]*|(?:is|are|was|were) (?:down|up) (?:by )?\d[\d.,]*|standard deviations|median (?:of )?\d|(?:decided|done|ready|paid|finished|erledigt|fertig)[^.;\d]{0,20} in (?:less than |under |only |weniger als |unter |nur )?\d+ (?:seconds|minutes|hours|sekunden|minuten|stunden)`;
/** How it is done without the company. */
const NOWADAYS = anyOf(
  'today|currently|existing|traditional(?:ly)?|conventional|manual(?:ly)?|by hand|spreadsheets?|excel|paper|apps|tools|providers|platforms|current|modern|legacy|none|heute|derzeit|aktuell|bestehende\\p{L}*|herkömmlich\\p{L}*|händisch|manuell\\p{L}*|papier|anbieter|bislang',
);
const ADVANTAGE_WORDS =
  'less|fewer|lower|faster|quicker|more|higher|better|cheaper|shorter|savings?|saved?|saves|reduc\\p{L}*|improv\\p{L}*|increas\\p{L}*|decreas\\p{L}*|cut|cuts|accura\\p{L}*|sensitivity|specificity|efficien\\p{L}*|time savings?|weniger|schneller|geringer\\p{L}*|höher\\p{L}*|besser\\p{L}*|kürzer\\p{L}*|günstiger|ersparnis|einsparung\\p{L}*|gespart|spart|sparen|reduktion|reduzier\\p{L}*|senk\\p{L}*|steiger\\p{L}*|verbesser\\p{L}*|genauigkeit|sensitivität|spezifität';

export const SOLUTION_TOPICS: Readonly<Record<string, Topic>> = {
  solution_description: topic({
    at: under('any', 'solution'),
    says: anyOf(
      'is an? (?:[\\p{L}-]+ ){0,5}(?:platform|app|application|software|tool|device|system|service|solution|marketplace|network|test|assistant|copilot|drug|therapy|engine|machine|robot|sensor|index)|our (?:solution|product|platform|software|app|device|system|technology|service|algorithm|model|first product|second product)|we (?:build|make|offer|develop|provide|create|combine|deliver|connect|help|empower)|(?:platform|app|software|tool|device|system|service) that|using (?:the |our )?(?:mobile |web )?(?:app|platform|ai)',
      'ist eine? (?:[\\p{L}-]+ ){0,5}(?:[\\p{L}-]*plattform|app|anwendung|software|gerät|system|dienst|lösung|marktplatz|[\\p{L}-]*test|therapie|assistent)|unsere? (?:lösung|produkt|plattform|software|app|gerät|system|technologie|dienst|algorithmus)|wir (?:bauen|bieten|entwickeln|machen|liefern|verbinden|kombinieren|helfen)',
    ),
    reach: 'unlabelled',
    not: anyOf('raising|runway|competitors?|wettbewerber|hiring|umsatz|market share'),
  }),
  differentiation: topic({
    at: { advantage: 'any', competition: ONE_NOT_OTHER },
    says: anyOf(
      'unlike|sets? (?:us|\\p{Lu}\\p{L}+) apart|stands? out from|(?:the|our) (?:first|only) (?:and only )?(?:[\\p{L}-]+ ){0,4}(?:solution|company|product|provider|platform|app|system|network|device|test|which|that|to)|world.s first|no (?:one|other|competitors?) (?:else )?(?:[\\p{L}-]+ ){0,3}(?:offers?|has|does|can|provides?)|nobody (?:else )?(?:has|offers|does)|uniquely|unique|patent(?:s|ed)?(?:.pending)?|proprietary|moat|exclusive(?:ly)?|defensib\\p{L}*|trade secrets?|network effects?|sets us apart|difficult to (?:copy|replicate|obtain)|barriers? to entry|competitive (?:advantage|edge)|unfair (?:distribution )?advantage|did not exist before',
      'anders als|im gegensatz|einzigartig\\p{L}*|als erste[rs]?|als einzige\\p{L}*|(?:der|die|das) (?:erste|einzige)\\p{L}*|patent\\p{L}*|proprietär\\p{L}*|exklusiv\\p{L}*|alleinstellung\\p{L}*|schutzrecht\\p{L}*|netzwerkeffekt\\p{L}*|wettbewerbsvorteil\\p{L}*|unterscheide[nt] (?:uns|sich)|schwer zu kopieren|kein(?:e|er)? (?:anderer?|wettbewerber|anbieter)',
    ),
    notAt: ['team', 'ask', 'funds', 'financials', 'problem', 'market', 'hiring', 'risks', 'persona', 'voices', 'sales'],
    not: anyOf(
      'förderung|grants?|proprietary and confidential|confidential|first (?:year|step|customers?|phase|ce)|unique (?:[\\p{L}-]+ )?(?:ids?|identifiers?|urls?|links?|codes?|keys?|subdomains?)|unique (?:users?|visitors?|workout|legal|needs?|security requirements)|exclusive of',
    ),
  }),
  current_solutions: topic({
    at: {
      today: 'any',
      before: 'any',
      competition: new RegExp(`${TROUBLE.source}|${ONE_NOT_OTHER.source}`, 'giu'),
      problem: NOWADAYS,
    },
    says: anyOf(
      '(?:current|existing|traditional|conventional|today.s|other) (?:solutions?|tools?|methods?|systems?|products?|apps?|providers?|treatments?|practices?|models?|alternatives?|approach(?:es)?|options?|hiring|education)|status quo|standard of care|gold standard|(?:is|are) (?:done|made|handled|written|managed) (?:manually|by hand|on paper)|spreadsheets?|workarounds?|legacy (?:systems?|software|tools?|hiring)|rely on|manually|manual (?:work|processes|measurements|entry|data)',
      '(?:aktuelle|bestehende|bisherige|herkömmliche|klassische|heutige|konventionelle)[nrs]? (?:lösung(?:en)?|methoden?|systeme?|verfahren|produkte?|apps?|anbieter|therapien?|ansätze|alternativen?)|status quo|standardtherapie|goldstandard|excel|von hand|händisch|manuell(?:e[nrs]?)?|zettel|auf papier|bislang|herkömmlich\\p{L}*',
    ),
    reach: 'anywhere',
    notAt: [
      'team',
      'ask',
      'funds',
      'financials',
      'solution',
      'roadmap',
      'traction',
      'sales',
      'hiring',
      'pricing',
      'risks',
      'benefit',
      'regulatory',
      'evidence',
      'customers',
      'advantage',
      'model',
      'market',
    ],
    not: anyOf(
      `${OUR_ANSWER.source}|we (?:integrate|connect)|existing (?:customers?|users?|distribution|team|product family|security)|integrat\\p{L}* (?:with|into)|on top of`,
    ),
  }),
  competitive_landscape: topic({
    at: { competition: 'any', today: 'any', advantage: COMPARED },
    says: anyOf(
      '(?:\\d+|no|zero|few|many|main|direct|indirect|other|our|its|key|biggest|existing) (?:direct |known |real )?competit(?:ors?|ion)|competitors? (?:are|include|such as|like|ship|offer|have|do|focus)|compared (?:to|with) (?:competitors|[\\p{L}]+)|than (?:our |the |its )?compet\\p{L}+|(?:others|other players|alternatives)(?=: )|incumbents?|rivals?|players (?:such as|like|include)|competes? (?:with|against)',
      '(?:keine?|wenige|viele|direkte|indirekte|größte|unsere|andere)[nr]? (?:direkte[nr]? )?(?:wettbewerber|konkurrent\\p{L}*|konkurrenz|mitbewerber)|wettbewerber (?:sind|bieten|haben|wie)|im vergleich zu[rm]?|konkurrenz (?:ist|bietet|durch)',
    ),
    notAt: ['team', 'ask', 'funds', 'financials', 'problem', 'hiring', 'persona', 'voices', 'regulatory'],
    not: anyOf(
      '(?:enables?|helps?|allows?|lets?) (?:you|users|customers|them) to compete|roi compared|compared to (?:last|the previous|20\\d\\d|standard|traditional|baseline|control|placebo)|talent|from all of our competitors',
    ),
    absent: anyOf(
      '(?:no|zero|0) (?:direct |known |real |other |existing )?(?:competit(?:ors?|ion)|players)|nobody (?:else )?(?:has|offers|does)|without (?:any )?competition',
      'keine[rn]? (?:direkte[nr]? |bekannten )?(?:wettbewerber|konkurrenz|konkurrenten|mitbewerber)|konkurrenzlos',
    ),
  }),
  quantified_advantage: topic({
    at: {
      benefit: 'figure',
      ...under(new RegExp(`${anyOf(ADVANTAGE_WORDS).source}|${MEASURED_TWICE}`, 'giu'), 'evidence', 'before', 'pilots'),
      competition: new RegExp(ROW_OF_FIGURES, 'giu'),
    },
    says: anyOf(
      AGAINST,
      `(?:${ADVANTAGE_WORDS})\\P{L}(?:[^.;\\d]{0,40})(?:${PERCENT}|${MONEY}|\\d+x|\\d+(?:\\.\\d+)? (?:times|hours?|minutes?|days?|stunden|minuten|tage))`,
      `(?:${PERCENT}|\\d+(?:[.,]\\d+)?\\s?[x×]|\\d+(?:[.,]\\d+)? times|\\d+-?fach)[^.;\\d]{0,40}(?<!\\p{L})(?:${ADVANTAGE_WORDS})`,
      'from \\d[\\d.,]*\\s?\\p{L}* to \\d[\\d.,]*\\s?(?:%|hours?|minutes?|days?|weeks?)|(?:von|statt) \\d[\\d.,]*\\s?\\p{L}* auf \\d[\\d.,]*|p ?[<=] ?0?[.,]\\d+',
    ),
    notAt: [
      'market',
      'financials',
      'ask',
      'funds',
      'team',
      'traction',
      'problem',
      'today',
      'roadmap',
      'pricing',
      'economics',
      'persona',
      'timing',
      'sales',
      'hiring',
      'model',
      'competition',
    ],
    not: anyOf(
      'cagr|market (?:share|size|grow\\p{L}*)|annual growth|growth rate|revenues?|gross margin|runway|raised?|raising|umsatz|markt\\p{L}*|more than \\d+ (?:years?|countries|employees|customers)|years of (?:experience|research)|customers?|of the time',
    ),
    figure: new RegExp(
      `${moneyOrPercent.source}|(?<![\\p{L}\\d])\\d+(?:[.,]\\d+)?\\s?(?:x|times|-?fach|hours?|minutes?|days?|weeks?|stunden|minuten|tage|points?|punkten?|standard deviations)(?!\\p{L})|${ROW_OF_FIGURES}|${MEASURED_TWICE}|${AGAINST}`,
      'giu',
    ),
    figureOnly: true,
  }),
};
