/**
 * Cues of what bears on a question without answering it in full: a price tells something of what a customer brings, a slide on the problem of
 * how it is solved today. They are asked only where nothing answers the question, and such an answer scores no more than two.
 */
import { anyFigure, money, MONEY, moneyOrPercent, PERCENT, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';
import { PRICE, PRICE_KIND } from './monetization.ts';
import { NOT_TROUBLE, TROUBLE } from './shared.ts';

/** Places on the round, the people and the plans. */
const OWN_MATTERS = ['team', 'ask', 'funds', 'financials', 'hiring', 'roadmap', 'company', 'legal', 'risks'] as const;
/** Where the deck speaks of others and of how it is without the company. */
const OF_OTHERS = ['problem', 'today', 'before', 'persona', 'timing', 'market'] as const;

/** Ways to do without the company. */
const WAYS = anyOf(
  'paper|phone calls?|by phone|e-?mails?|spreadsheets?|excel|whatsapp|consultants?|agenc(?:y|ies)|outsourc\\p{L}*|in-house|freelancers?|apps?|tools?|software|systems?|websites?|platforms?|providers?|vendors?|hotels?|banks?|brokers?|chatgpt|opt to|rely|relies|hir(?:e|ing)|visits?|standard|methods?|no (?:easy |good |simple |standard |single |central )?(?:tool|way|solution|system|platform|option)s?|there is no|manual\\p{L}*|by hand|usually|mostly|most (?:\\p{L}+ )?(?:people|parents|compan\\p{L}+|patients|teams|users|clinics|founders|farmers|students|customers)|often|common(?:ly)?|always|normally|typically|traditional\\p{L}*',
  'papier|telefon\\p{L}*|anruf\\p{L}*|excel|tabellen|berater|agentur\\p{L}*|apps?|tools?|software|systeme?|webseiten?|plattform\\p{L}*|anbieter|hotels?|banken|kein\\p{L}* (?:einfache\\p{L}* |gute\\p{L}* )?(?:tool|weg|lösung|system|plattform)|es gibt kein\\p{L}*|von hand|händisch|manuell\\p{L}*|meist|meistens|oft|häufig|üblich\\p{L}*|in der regel|normalerweise|bisher',
);
/** Words for others who offer something. */
const RIVALS = anyOf(
  '(?:other|existing|current|today.s|modern|most|legacy|conventional) (?:\\p{L}+ )?(?:apps|tools|solutions|providers|platforms|products|players|vendors|software|services)|traditional|incumbents?|compet\\p{L}+|chatgpt',
  'andere (?:apps|anbieter|lösungen|plattformen)|herkömmlich\\p{L}*|klassisch\\p{L}*|bestehend\\p{L}*|wettbewerb\\p{L}*|konkurren\\p{L}*',
);
/** Words that set the product against others. */
const AGAINST_OTHERS = new RegExp(
  `${anyOf('rather than|instead of|unlike|than (?:any|other|its|the|our)', 'statt|anstelle|anders als|im gegensatz|als (?:andere|herkömmliche|bisherige)').source}|${RIVALS.source}`,
  'giu',
);
/** Qualities by which an offer is set apart. */
const QUALITIES = anyOf(
  'only|unique|without|no|zero|never|real.time|instant(?:ly)?|in (?:seconds|minutes)|automatic(?:ally)?|fully|end.to.end|all.in.one|one.stop|personali[sz]ed|affordable|privacy|secure|decentrali[sz]ed|open.source|patent\\p{L}*|proprietary|better|faster|cheaper|stronger|more|less|easy to|easier|simple|agnostic|verified|integrated|100 ?%|(?:ai|data).(?:powered|driven)',
  'nur|einzig\\p{L}*|ohne|kein\\p{L}*|null|nie|echtzeit|sofort|in (?:sekunden|minuten)|automatisch\\p{L}*|vollständig|durchgängig|personalisiert\\p{L}*|individuell\\p{L}*|bezahlbar|sicher\\p{L}*|dezentral\\p{L}*|patent\\p{L}*|besser|schneller|günstiger|stärker|mehr|weniger|einfach\\p{L}*|integriert\\p{L}*|ki-\\p{L}+',
);
/** A count of people, cases or things. */
const COUNT = anyOf(
  `${PERCENT}[^.;]{0,30}\\p{L}{4}|(?:\\d[\\d.,]*\\s?(?:m|k|million|billion|bn|mio\\.?|mrd\\.?|millionen|milliarden|lakhs?|crores?)?\\+? )(?:\\p{L}+ ){0,3}(?:people|patients?|cases|users?|adults|women|men|children|students|graduates|households|families|compan(?:y|ies)|businesses|smes|hospitals|clinics|farmers?|listings|trips|tons?|tonnes|kg|deaths|injuries|hours|menschen|patient\\p{L}*|fälle|nutzer\\p{L}*|frauen|männer|kinder|studierende|haushalte|familien|unternehmen|betriebe|kliniken|tonnen|stunden)`,
);
/** Figures of time and effort. */
const EFFORT =
  '(?:in |under |within |less than |only |just |unter |innerhalb von |nur )+\\d+ ?(?:seconds?|secs?|minutes?|mins?|hours?|days?|clicks?|sekunden|minuten|stunden|tagen?|klicks?)|\\d+.(?:second|sec|minute|min|hour|day|click)s?|in (?:seconds|minutes|a few clicks|sekunden|minuten)|\\d+.?fold|\\d[\\d.,]* ?% (?:\\p{L}+ )?(?:response|accuracy|sensitivity|success)|from \\p{L}+ (?:years?|months?|weeks?|days?|hours?) (?:in)?to \\p{L}+';
/** Ways to customers. */
const CHANNELS = anyOf(
  'distribution|waiting list|tenders?|direct sales|channel partners?|distributors?|resellers?|partnerships?|collaborat\\p{L}*|instagram|tiktok|linkedin|facebook|social media|marketing|ads?|advertis\\p{L}*|campaigns?|community|communities|events?|conferences?|ambassadors?|word.of.mouth|downloads|app stores?|network of|start(?:ing)? with|first (?:wedge|market|customers)|beachhead|expand (?:to|into|across)|universit(?:y|ies)|growth team',
  'warteliste|ausschreibung\\p{L}*|direktvertrieb|vertrieb(?!szyk)\\p{L}*|partnerschaft\\p{L}*|kooperation\\p{L}*|instagram|tiktok|linkedin|social media|marketing|werbung|kampagnen?|community|events?|messen|empfehlung\\p{L}*|app.?stores?|start(?:en)? mit|zuerst|hochschulen',
);
/** Somebody pays nothing. */
const FREE = anyOf(
  '(?:students?|users?|patients?|teachers?|schools?)\\P{L}[^.;]{0,12}free|free for \\p{L}+|kostenlos für \\p{L}+',
);
/** Those who pay or use. */
const PARTIES = anyOf(
  '(?:economic )?buyers?|payers?|end.?users?|target (?:customers?|users?|group)|(?:for|to|by|from) (?:\\p{L}+ ){0,2}(?:hospitals?|clinics?|companies|enterprises|smes|smbs|businesses|schools|universities|insurers|employers|patients|students|consumers|parents|municipalities|retailers|brands|investors|hosts|guests|sellers|drivers)|b2b|b2c|b2g|commission|transaction|subscri\\p{L}*|licen[cs]\\p{L}*|sponsor\\p{L}*|affiliate\\p{L}*|users? pay|pays?',
  'käufer|zahler|endnutzer|zielgruppe|zielkunden|(?:für|an|von) (?:\\p{L}+ ){0,2}(?:kliniken|praxen|unternehmen|firmen|schulen|hochschulen|kassen|arbeitgeber|patient\\p{L}*|studierende|verbraucher|eltern|kommunen|händler)|b2b|b2c|provision\\p{L}*|abo\\p{L}*|lizenz\\p{L}*|sponsor\\p{L}*|zahl(?:t|en)',
);
/** Both sides in one statement: who pays or earns, and who uses. */
const BOTH_SIDES = anyOf(
  'free for (?:the )?(?:farmers?|users?|patients?|students?|riders?|families|teachers?|schools?|citizens|drivers?)|\\p{L}+ pays?[^.]{3,60}(?:reimburse|pays?|uses?)|(?:economic )?buyer|end.?users?|used by|both sides|two.sided|(?:buyers?|hosts?|sellers?|landlords?|employers?|hospitals?|clinics?|schools?|universit(?:y|ies)|parents|insurers?|brands|companies)[^.;]{3,80}(?:sellers?|guests?|travell?ers?|tenants?|renters?|employees|patients?|students?|children|users?|consumers?|investors?|workers)|(?:rent|sell|lend|offer)s? (?:out )?(?:their|your) [^.;]{3,40} to',
  '\\p{L}+ zahl(?:t|en)[^.]{3,60}(?:erstatte\\p{L}*|zahl(?:t|en)|nutz(?:t|en))|endnutzer|zweiseitig\\p{L}*|(?:käufer|vermieter|arbeitgeber|kliniken|schulen|hochschulen|eltern|kassen|unternehmen)[^.;]{3,80}(?:verkäufer|mieter|mitarbeit\\p{L}*|patient\\p{L}*|schüler\\p{L}*|studierende\\p{L}*|kinder|nutzer\\p{L}*)',
);
/** Where the money goes. */
const SPENDING = anyOf(
  'product|development|r ?& ?d|research|sales|marketing|hiring|team|staff|operations|working capital|legal|technology|infrastructure|inventory|production|expansion|trials?|regulatory|certification|mvp|launch|equipment|validation|acquisition|hosting|support|entwicklung|forschung|vertrieb|personal|betrieb|verwaltung|produktion|studien?|zulassung|ausstattung|maschinen',
);
/** What the money makes possible. */
const STEP = anyOf(
  'to \\p{L}+|hir(?:e|ing)|build(?:ing)?|launch(?:ing)?|scal(?:e|ing)|expan\\p{L}+|enter(?:ing)?|complet(?:e|ing)|finali[sz]\\p{L}+|deploy(?:ing)?|develop(?:ing)?|open(?:ing)?|transition\\p{L}*|validation|evaluations?',
  'um .{3,60} zu|aufbau\\p{L}*|ausbau\\p{L}*|einstell\\p{L}+|entwickl\\p{L}+|markteintritt|abschluss|eröffn\\p{L}+',
);
/** The deck calls on its reader. */
const TO_READER = anyOf(
  'you|your|today|demo|contact|partners?|mentors?|tranches?|total|on signing|at closing|ihr|ihre|sie|heute|kontakt|tranchen?|gesamt|bei abschluss|schritten',
);
/** What is to come. */
const TO_COME = anyOf(
  'would (?:earn|reach|have|serve|be)|will (?:be|have|reach|serve|earn|expand|launch|become|scale)|to reach|plan(?:s|ned|ning)? to|aims? to|expect(?:s|ed)?|forecast|projected|projections?|with full penetration|year (?:1|2|3|4|5|one|two|three)',
  'würde|wird|werden|planen|geplant\\p{L}*|erwart\\p{L}*|prognose|ziele?|nächste\\p{L}*|jahr (?:1|2|3|4|5)',
);
/** What people learned or do. */
const WORK = anyOf(
  'students?|stud(?:y|ied|ies|ying)|engineer\\p{L}*|developer\\p{L}*|designer\\p{L}*|research\\p{L}*|doctor|physician|nurse|consultant|manager|analyst|lawyer|teacher|specialist|scientist|expert\\p{L}*|universit\\p{L}+|college|school|work(?:ed|ing|s)? (?:at|for|in|on)|ex|formerly|degree|certified|maintainer|years?',
  'studier\\p{L}*|student\\p{L}*|studium|ingenieur\\p{L}*|informatik\\p{L}*|arzt|ärztin|pflege\\p{L}*|hochschule|universität|ausbildung|früher|zuvor|jahre',
);
/** Legal form, people and bodies of an organization. */
const ORGANIZED = anyOf(
  '(?:solo|sole|one|two|three|\\d+) (?:\\p{L}+ )?(?:founders?|co-?founders?)|\\d+ (?:people|employees|developers)|solo developer|advis(?:o|e)rs|advisory board|mentors|incorporated|spin-?off|team of|beirat|mentoren|gegründet (?:im|in|am)|gründer(?:in|innen)?team|ausgründung|(?<=\\p{L} )(?:gmbh|ug|b\\.v\\.|s\\.a\\.s\\.?|e\\.v\\.)',
);

/** Shortcomings that the company names of itself. */
const SHORTCOMING = anyOf(
  'weakness(?:es)?|headache|not (?:yet )?(?:solved|ready|done|certified|finished)|still (?:open|missing|unsolved|unclear|breaks?|fails?|fogs?)|unsolved|to be (?:fixed|solved|improved)|what we (?:still )?need|not audited|unaudited|was a mistake|needs? (?:work|improvement|fixing)|our bottleneck|cannot yet|does not (?:yet )?work',
  'schwäche|engpass|noch (?:nicht|offen|ungelöst|unklar)|war ein fehler|was wir (?:noch )?brauchen|in arbeit|ungelöst',
);
/** Money that has come in. */
const INCOME = anyOf(
  `(?:revenues?|turnover|sales|umsatz|umsätze|einnahmen)[^.;\\d]{0,30}${MONEY}|${MONEY} (?:\\p{L}+ ){0,2}(?:from|aus|mit) (?:\\p{L}+ )?(?:pilots?|sales|orders|customers|pilot\\p{L}*|verkäufen|kunden)`,
);
/** Plans and what others earn. */
const NO_INCOME = anyOf(
  'plan(?:s|ned)?|forecast|target|goals?|will|would|year \\d|market|peak|estimate[sd]?|potential|competitors?|expected|projected|geplant|prognose|ziel|markt|jahr \\d',
);

export const NEAR_TOPICS: Readonly<Record<string, Topic>> = {
  target_problem: topic({
    at: { ...under('any', 'today', 'before'), ...under(TROUBLE, 'persona', 'timing', 'market', 'competition') },
    not: NOT_TROUBLE,
  }),
  problem_nature: topic({
    at: under(TROUBLE, 'problem', 'today', 'before', 'persona', 'timing'),
    not: NOT_TROUBLE,
  }),
  pain_points: topic({
    at: { ...under('any', 'before'), ...under(TROUBLE, 'today', 'persona', 'timing', 'market', 'competition') },
    not: NOT_TROUBLE,
  }),
  problem_quantification: topic({
    at: under(COUNT, 'today', 'persona', 'timing', 'evidence', 'market'),
    not: anyOf(
      'nps|promoter|satisf\\p{L}*|recommend\\p{L}*|fewer|reduc\\p{L}*|weniger|zufrieden\\p{L}*|empfehl\\p{L}*',
    ),
    figure: anyFigure,
    figureOnly: true,
  }),
  differentiation: topic({
    at: { ...under(QUALITIES, 'benefit', 'solution'), competition: AGAINST_OTHERS },
    says: AGAINST_OTHERS,
    reach: 'unlabelled',
    notAt: OWN_MATTERS,
  }),
  current_solutions: topic({
    at: { ...under(WAYS, 'problem', 'persona', 'timing'), competition: 'any' },
    not: NOT_TROUBLE,
  }),
  competitive_landscape: topic({
    at: under(RIVALS, 'problem', 'advantage', 'solution', 'benefit', 'persona', 'timing'),
    says: RIVALS,
    reach: 'unlabelled',
  }),
  quantified_advantage: topic({
    at: {
      ...under(anyOf(EFFORT, PERCENT), 'solution', 'advantage', 'benefit'),
      ...under(anyOf(EFFORT), 'evidence', 'voices', 'pilots'),
    },
    says: anyOf(EFFORT),
    reach: 'unlabelled',
    notAt: [...OWN_MATTERS, ...OF_OTHERS],
    not: anyOf('interviews?|respondents|survey\\p{L}*|befragt\\p{L}*|anteile'),
    figure: new RegExp(`${anyFigure.source}|${anyOf(EFFORT).source}`, 'giu'),
    figureOnly: true,
  }),
  customer_acquisition: topic({
    at: under(CHANNELS, 'customers', 'model', 'traction', 'market', 'funds', 'ask', 'pilots', 'voices'),
    says: CHANNELS,
    reach: 'unlabelled',
  }),
  payer_identification: topic({
    at: under(PARTIES, 'model', 'pricing', 'economics', 'customers', 'persona'),
    says: anyOf(
      `${PERCENT} (?:commis+ion|fee|take rate)|(?:commis+ion|take rate)\\p{P}? (?:of )?${PERCENT}[^.;]{0,40}|\\p{L}+ (?:pays?|sponsors?|zahl(?:t|en)) (?:${MONEY}|${PERCENT})|\\d+ (?:paying|zahlende) \\p{L}+|only, free for \\p{L}+`,
    ),
    reach: 'unlabelled',
  }),
  payer_vs_user: topic({
    at: under(BOTH_SIDES, 'model', 'pricing', 'persona', 'customers', 'solution'),
  }),
  pricing_strategy: topic({
    not: anyOf('contributes?|variable costs?|falls? from|fell from|bleiben .{0,10}übrig'),
    says: anyOf(
      `${MONEY} ?(?:/|per) ?\\p{L}+|(?:fee|royalty|commission|premium|provision)\\P{L}?[^.;\\d]{0,14}(?:${PERCENT}|${MONEY})|${PERCENT} [^.;\\d]{0,20}(?:fee|commis+ion|royalty|provision)`,
    ),
    notAt: [...OF_OTHERS, ...OWN_MATTERS, 'competition', 'voices'],
    at: {
      ...under(
        new RegExp(`${PRICE_KIND.source}|${FREE.source}|${money.source}`, 'giu'),
        'model',
        'economics',
        'benefit',
        'competition',
      ),
      pricing: anyOf('\\d+[.,]\\d\\d'),
      economics: anyOf(`(?:price|we invoice|preis)\\P{L}[^.;\\d]{0,14}(?:${MONEY}|\\d+[.,]\\d\\d)`),
    },
  }),
  unit_economics: topic({
    at: under(moneyOrPercent, 'pricing', 'model', 'economics'),
    says: PRICE,
    reach: 'unlabelled',
    not: anyOf('wast(?:e|ed)|lost|loses?|verschwend\\p{L}*|verlor\\p{L}*|full \\p{L}+ costs?'),
    figure: moneyOrPercent,
    figureOnly: true,
  }),
  paying_customers: topic({
    at: under(
      anyOf(
        'customers?(?=: )|(?:support|service|annual) contracts?|paid pilots?|pays?|orders?|sold|invoices?|letters? of intent|lois?',
        'kunden(?=: )|bezahlte\\p{L}*|zahl(?:t|en)|verkauft|bestell\\p{L}+|aufträge|rechnung\\p{L}*|absichtserklärung\\p{L}*',
      ),
      'customers',
      'traction',
      'voices',
      'pilots',
    ),
    figure: anyFigure,
    figureOnly: true,
  }),
  pilot_customers: topic({
    at: under(
      anyOf(
        '\\d+ (?:\\p{L}+ )?(?:patients|sites|testers|users|families|farms|hospitals|homes)|n ?= ?\\d+|test(?:s|ed)?|tried|interviews?|said yes',
        '\\d+ (?:\\p{L}+ )?(?:patient\\p{L}*|nutzer\\p{L}*|betriebe|kliniken|schulen)|test|getestet|versuch',
      ),
      'evidence',
      'traction',
      'voices',
      'pilots',
    ),
    says: anyOf('pilots|(?<=\\p{L} )pilot(?= \\d|[,.;:)]|$)|beta|testers?|pilotprojekt\\p{L}*'),
    notAt: [...OF_OTHERS, ...OWN_MATTERS, 'competition'],
    not: anyOf('co-?pilots?|autopilot|pilot(?:en)? (?:licen\\p{L}+|training)'),
  }),
  monthly_burn: topic({
    says: anyOf('cash (?:on hand|in hand|reserves?)|liquidität bis|kassenbestand'),
    figure: new RegExp(`${anyFigure.source}|(?<!\\d)20\\d\\d(?!\\d)`, 'giu'),
    figureOnly: true,
    notAt: OF_OTHERS,
  }),
  monthly_sales: topic({
    at: under(INCOME, 'traction', 'customers', 'economics', 'pilots', 'roadmap'),
    says: INCOME,
    reach: 'unlabelled',
    not: NO_INCOME,
    figure: moneyOrPercent,
    figureOnly: true,
  }),
  priority_deficits: topic({
    says: SHORTCOMING,
    notAt: [...OF_OTHERS, 'competition', 'voices', 'advantage', 'timing'],
  }),
  fund_allocation: topic({ at: under(SPENDING, 'ask', 'funds'), not: TO_READER }),
  investment_strategy: topic({
    at: { ...under('sentence', 'funds'), ask: STEP },
    says: anyOf(`(?:require|need|seek|raise)s? (?:\\p{L}+ ){0,3}${MONEY} (?:\\p{L}+ )?to \\p{L}+`),
    not: TO_READER,
  }),
  future_state: topic({
    at: under(TO_COME, 'financials', 'ask', 'funds', 'traction'),
    says: TO_COME,
    reach: 'unlabelled',
    figure: anyFigure,
    figureOnly: true,
  }),
  team_experience: topic({
    at: { team: WORK, company: anyOf('built|team|founders?|experience|gründer\\p{L}*|erfahrung') },
    says: anyOf('(?:built|made|founded|led) by|some of us|we are (?:\\p{L}+ )?(?:students|engineers|doctors)'),
    reach: 'unlabelled',
  }),
  team_composition: topic({ at: under('any', 'team') }),
  organizational_maturity: topic({
    at: under(ORGANIZED, 'company', 'team'),
    says: ORGANIZED,
    reach: 'unlabelled',
    not: anyOf('former(?:ly)?|previous(?:ly)?|ehemalig\\p{L}*|zuvor|consultant'),
  }),
};
