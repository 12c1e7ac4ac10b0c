/** Words of the questions on problem, solution and product-market fit. */
import { topic, type Topic } from './topic.ts';
import { anyOf } from './words.ts';

const PROBLEM_HEADING = anyOf(
  'problems?|pain|challenge|why|status quo|costs?|hidden|waste|lost?|loses?|unsolved|broken|gap|need|today|stays?|too (?:late|long|slow|little|many)|empty|alone|wait(?:s|ing)?|miss(?:es|ed|ing)?',
  'problem\\p{L}*|schiefläuft|status quo|schmerz\\p{L}*|herausforderung|warum|kostet|kosten|heute|verschwend\\p{L}*|lücke|bedarf|zu (?:spät|lang|langsam|wenig|viele)|ungelöst|fehlt|fehlen|warten|verlier\\p{L}*',
);
const SOLUTION_HEADING = anyOf(
  'solutions?|products?|how (?:it|we) works?|how [\\p{L}]+ works|(?:our|the) (?:approach|platform|technology|answer)|what we (?:do|build|offer)|meet|introducing|demo|technology|platform|app',
  'lösung\\p{L}*|produkt\\p{L}*|so funktioniert\\p{L}*|wie (?:es|das|[\\p{L}]+) funktioniert|unser (?:ansatz|produkt)|technologie|was wir (?:tun|machen)|plattform',
);
const COMPETITION_HEADING = anyOf(
  'compet\\p{L}*|alternatives?|why we win|landscape|differentiat\\p{L}*|why us|unfair advantage|moat|compare\\p{L}*|comparison|what .* use today|falls? short',
  'wettbewerb\\p{L}*|alternativen?|warum wir gewinnen|vergleich|differenzierung|alleinstellung\\p{L}*|usp|abgrenzung|konkurrenz',
);
const TRACTION_HEADING = anyOf(
  'traction|where we stand|customers?|growth|progress|validation|results|proof|pilots?|clients?|users?|momentum',
  'traktion|wo wir stehen|kunden|wachstum|fortschritt|validierung|ergebnisse|nachweis|piloten?|pilotkunden|nutzer|markterfolg',
);
const EVIDENCE_HEADING = anyOf(
  'evidence|results?|does it work|validation|impact|measured|proof|study|studies|outcomes?|benefits?|roi|advantage|savings',
  'evidenz|ergebnisse?|nachweise|wirkt es|wirkung|gemessen|nachweis|studie\\p{L}*|nutzen|vorteil\\p{L}*|einsparung\\p{L}*|wirksamkeit',
);
const GO_TO_MARKET_HEADING = anyOf(
  'go.to.market|sales|marketing|distribution|acquisition|channels?|how we (?:win|sell|grow)|customers (?:stay|love)|gtm',
  'vertrieb\\p{L}*|marketing|markteintritt|kundengewinnung|kanäle|wie wir (?:kunden|verkaufen|wachsen)|absatz',
);

const PROBLEM_WORDS = anyOf(
  'problems?|suffer\\p{L}*|struggl\\p{L}*|lack(?:s|ing)?|cannot|miss(?:es|ed|ing)?|wait(?:s|ing)?|queue\\p{L}*|lose|loses|losing|lost|fail(?:s|ed|ure|ures)?|waste\\p{L}*|burden\\p{L}*|overload\\p{L}*|errors?|delays?|too (?:late|long|slow|expensive|often|many|few)|without knowing|undiagnosed|untreated|shortage|pain|manual(?:ly)?|by hand|paper|spreadsheets?|excel|phone|unpaid|not paid|empty|drop out|give up|fear|never|only half|no access|inefficien\\p{L}*|costly|complain\\p{L}*|complications?|die|dies|deaths?|frustrat\\p{L}*|go(?:es)? (?:back|wrong|untreated)',
  'probleme?n?|leiden|leidet|kämpfen|mangel\\p{L}*|fehlt|fehlen|fehlend\\p{L}*|warten|wartet|wartezeit\\p{L}*|verlieren|verliert|scheitern|scheitert|verschwend\\p{L}*|belast\\p{L}*|überlast\\p{L}*|fehler\\p{L}*|verzögerung\\p{L}*|zu (?:spät|lange?|langsam|teuer|oft|viele|wenige?)|schmerz\\p{L}*|händisch|manuell\\p{L}*|von hand|papier|telefonisch|ausfall|ausfälle|abbrechen|brechen .* ab|niemand|unbehandelt|unerkannt|engpass\\p{L}*|personalmangel|fachkräftemangel|komplikation\\p{L}*|ineffizien\\p{L}*|unnötig\\p{L}*|vergeblich|chronisch\\p{L}*|kehrt zurück|rückfall\\p{L}*',
);
const WHO = anyOf(
  'patients?|hospitals?|clinics?|doctors?|physicians?|nurses?|clinicians?|carriers?|drivers?|dispatchers?|companies|teams?|people|customers?|users?|families|parents|caregivers?|employers?|insurers?|farmers?|smes?|women|men|adults|children|students|managers?|operators?|practices|pharmacies|developers|retailers|tenants|neurologists?|dermatologists?|surgeons?|units?|care homes|residents',
  'patient\\p{L}*|klinik\\p{L}*|krankenh\\p{L}*|ärzt\\p{L}*|hausärzt\\p{L}*|pflege(?:kräfte\\p{L}*|nde\\p{L}*|heim\\p{L}*)|unternehmen|betriebe\\p{L}*|menschen|kund\\p{L}*|nutzer\\p{L}*|familien|eltern|angehörige\\p{L}*|arbeitgeber|krankenkassen?|landwirt\\p{L}*|frauen|männer|erwachsene|kinder|mitarbeit\\p{L}*|praxen|apotheken|händler|betroffene\\p{L}*|beschäftigte\\p{L}*|therapeut\\p{L}*',
);

/** Fourteen questions. */
export const PRODUCT_TOPICS: Readonly<Record<string, Topic>> = {
  target_problem: topic(PROBLEM_WORDS, {
    weak: WHO,
    underHeading: 'any',
    heading: PROBLEM_HEADING,
    avoid: anyOf(
      'we (?:solve|raise|are)|our (?:product|solution|patch|app|software)|team|hiring|funding|unsere? (?:lösung|produkt|app)',
    ),
  }),
  problem_nature: topic(
    anyOf(
      'because|caused? by|causes?|reason(?:s)?|due to|structural|root|rare|remains?|stays?|has (?:not|stayed|never)|results? from|driven by|regulat\\p{L}*|fragment\\p{L}*|siloed?|silos|incentives?|only since|chronic|therefore|why|daily|recurring|built into|grows with|nobody owns|acute|time-critical|every (?:day|transfer|time)|rules?|happens',
      'weil|ursachen?|grund|gründe|liegt (?:an|daran)|aufgrund|wegen|strukturell\\p{L}*|entsteht|entstehen|bleibt|ungelöst|selten|zersplittert|fragmentiert|anreize?|daher|deshalb|denn|chronisch\\p{L}*|systematisch\\p{L}*|warum|akut|zeitkritisch|wiederkehr\\p{L}*|täglich|jede[rs]? .* für sich|wächst mit|vorschrift\\p{L}*',
    ),
    {
      weak: PROBLEM_WORDS,
      heading: PROBLEM_HEADING,
      avoid: anyOf('we differ|our (?:product|solution|team)|invest\\p{L}*|raise|hiring|funding'),
    },
  ),
  pain_points: topic(PROBLEM_WORDS, {
    weak: WHO,
    underHeading: 'any',
    heading: PROBLEM_HEADING,
    avoid: anyOf(
      'our (?:product|solution|patch|app|software|report)|we (?:raise|are raising|solve)|unsere? (?:lösung|produkt|app)|hiring|runway',
    ),
  }),
  problem_quantification: topic(
    anyOf(
      '[\\d.,]+\\s?(?:m|million|billion|bn|k)?\\s?(?:people|patients|strokes?|cases|adults|women|men|deaths|hospitals|companies|carriers|households|days|hours|minutes|weeks)|(?:one|two|three|half) (?:in|of|out of) (?:\\p{L}+)|per cent of|\\d+\\s?% of|percent of|cost(?:s|ing)? (?:\\p{L}+ ){0,4}[€$£]|prevalence|incidence|a year|per year|each year|every year|annually|affect\\p{L}*',
      '[\\d.,]+\\s?(?:mio\\.?|millionen|tsd\\.?)?\\s?(?:menschen|patient\\p{L}*|fälle|erwachsene|frauen|betroffene|todesfälle|betriebe|unternehmen|tage|stunden|minuten|wochen|fehltage)|jede[rs]? (?:zweite|dritte|vierte|fünfte|zehnte)|\\d+\\s?(?:%|prozent) (?:der|aller)|kostet (?:\\p{L}+ ){0,4}\\d|prävalenz|inzidenz|pro jahr|im jahr|jährlich\\p{L}*|betroffen',
    ),
    {
      weak: PROBLEM_WORDS,
      underHeading: 'figure',
      heading: PROBLEM_HEADING,
      figure: true,
      avoid: anyOf('revenue|our|we|customers pay|raising|umsatz|wir|unsere?|runway|burn|contract|acquisition'),
    },
  ),
  solution_description: topic(
    anyOf(
      'our (?:solution|product|platform|software|app|device|system|technology|service|algorithm|model|program|programme)|works?|records?|reads?|detects?|automat\\p{L}*|measures?|analy[sz]es?|connects?|guides?|predicts?|lets?|enables?|helps?|combines?|delivers?|step \\d|in \\d+ steps|receives?|integrates?|matches|monitors?|adapts?|generates?|finds?|places?|returns|software that|platform that|app that|device that|we (?:build|make|offer|develop)|develops|offers',
      'unsere? (?:lösung|produkt|plattform|software|app|gerät|system|technologie|dienst|algorithmus|programm)|funktioniert|erkennt|misst|automatisch\\p{L}*|automatisiert|analysiert|verbindet|führt|zeigt|begleitet|ermöglicht|hilft|kombiniert|liefert|schritt \\d|erhält|erhalten|passt .* an|überwacht|erzeugt|findet|übungen|integriert|schickt|wir (?:bauen|bieten|entwickeln|machen)|bietet|entwickelt|genügt|genügen|schlägt|prüft',
    ),
    {
      underHeading: 'any',
      heading: SOLUTION_HEADING,
      avoid: anyOf('competitors?|raising|revenue|years|founder|ceo|wettbewerber|umsatz|jahre erfahrung|gmv|hiring'),
    },
  ),
  differentiation: topic(
    anyOf(
      'unlike|only (?:we|one|company|solution|product|provider)|differ(?:s|ent|entiat\\p{L}*)?|unique(?:ly)?|first (?:to|and only|company|product)|patent(?:s|ed)?|proprietary|moat|exclusive|no (?:one|other)|others? (?:cannot|lack|do not)|defensib\\p{L}*|know-how|trade secret|trained on|network effects?|barrier|sets us apart|protected|advantage over|own data|cannot|inside the|no competing|nobody else|every statement|from scratch',
      'anders als|im gegensatz|nur (?:wir|unser\\p{L}*)|unterscheid\\p{L}*|einzig\\p{L}*|als erste\\p{L}*|patent\\p{L}*|proprietär\\p{L}*|exklusiv\\p{L}*|kein (?:anderer?|wettbewerber|anbieter)|alleinstellung\\p{L}*|geschützt|schutzrecht\\p{L}*|know-how|netzwerkeffekt\\p{L}*|vorsprung|eigene\\p{L}* (?:daten|datensatz|algorithmus)|kann sonst|sonst niemand|als einzige\\p{L}*|nicht nur|ohne dass',
    ),
    {
      weak: anyOf('competitors?|data|algorithm|agreements?|contracts?|wettbewerber|daten|verträge'),
      heading: COMPETITION_HEADING,
      avoid: anyOf('raising|revenue|hiring|umsatz'),
    },
  ),
  current_solutions: topic(
    anyOf(
      'today|currently|status quo|existing (?:solutions?|tools?|methods?)|standard of care|gold standard|so far|alternatives?|traditional(?:ly)?|conventional|spreadsheets?|excel|by (?:phone|hand)|paper|manual(?:ly)?|guidelines?|falls? short|holter|workarounds?|in-house|do nothing|current (?:solutions?|methods?|practice|tools?)|rely on|load boards?|legacy|they use|use (?:spreadsheets|overdrafts)|there is',
      'heute|derzeit|aktuell|bisher\\p{L}*|herkömmlich\\p{L}*|bestehende\\p{L}*|standardtherapie|goldstandard|leitlinie\\p{L}*|alternativen?|tabellen|excel|telefon\\p{L}*|papier|von hand|manuell\\p{L}*|statt\\p{L}*|status quo|klassische\\p{L}*|konventionell\\p{L}*|physiotherapie|schmerzmittel|altsystem\\p{L}*|üblich|bislang|arbeiten mit|helfen sich|behelfen',
    ),
    {
      weak: anyOf('misses|too|only|fails?|slow|expensive|weeks|none|nur|zu|teuer|langsam|wochen|selten'),
      underHeading: 'any',
      heading: anyOf(
        'compet\\p{L}*|alternatives?|why we win|comparison|falls? short|landscape|what .* use today|wettbewerb\\p{L}*|alternativen?|warum wir gewinnen|vergleich',
      ),
      avoid: anyOf(
        'raising|net burn|burn|employees|revenue|we (?:have|are)|customers pay|umsatz|mitarbeit\\p{L}*|kapital',
      ),
    },
  ),
  competitive_landscape: topic(
    anyOf(
      'competit(?:or|ors|ion|ive)|rivals?|incumbents?|alternatives?|versus|vs|compared (?:with|to)|than (?:\\p{L}+ )?(?:competitors?|others)|players?|market leader|such as|criteri(?:on|a)|features?|(?:yes|no|partly|partial)(?: (?:yes|no|partly|partial))+|[+–✓✗✔✘-]+(?: [+–✓✗✔✘-]+)+',
      'wettbewerb\\p{L}*|konkurren\\p{L}*|mitbewerber\\p{L}*|alternativen?|im vergleich|verglichen|gegenüber|marktführer|anbieter|platzhirsch\\p{L}*|kriteri(?:um|en)|merkmal\\p{L}*|(?:ja|nein|teilweise)(?: (?:ja|nein|teilweise))+',
    ),
    {
      weak: anyOf('yes|no|none|ja|nein|price|preis|features?|partial\\p{L}*|teilweise'),
      underHeading: 'any',
      heading: COMPETITION_HEADING,
      avoid: anyOf('raising|hiring|revenue|umsatz'),
    },
  ),
  quantified_advantage: topic(
    anyOf(
      '[–-]?\\d[\\d.,]*\\s?%\\s?(?:\\p{L}+ ){0,2}(?:fewer|less|lower|faster|more|higher|reduction|better|cheaper|shorter|savings?|improvement|increase|decrease)|(?:saves?|saving|savings|reduc\\p{L}*|cuts?|lower\\p{L}*|improv\\p{L}*|increas\\p{L}*|gain\\p{L}*|drop\\p{L}*|fell|halv\\p{L}*|doubl\\p{L}*|tripl\\p{L}*)|times (?:more|faster|higher|as)|\\d+x|faster|fewer|sensitivity|specificity|effect size|p ?[<=]|versus|from [\\d.,%€$]+ to|points|less time|accuracy|agreement|fell|falls?|instead of|(?:one|half|a) (?:third|half|twentieth)|at half',
      '\\d[\\d.,]*\\s?(?:%|prozent)\\s?(?:\\p{L}+ ){0,2}(?:weniger|mehr|schneller|geringer\\p{L}*|höher\\p{L}*|besser\\p{L}*|kürzer\\p{L}*|günstiger\\p{L}*|reduktion|rückgang)|spart|sparen|einsparung\\p{L}*|ersparnis|senk\\p{L}*|reduzier\\p{L}*|verkürz\\p{L}*|verbesser\\p{L}*|steiger\\p{L}*|halbier\\p{L}*|verdoppel\\p{L}*|sank|sinkt|stieg|schneller|weniger|sensitivität|spezifität|effektstärke|von [\\d.,]+ .{0,12}auf [\\d.,]+|punkte|treffsicherheit|statt|fiel|fällt|sinken|nur noch|ein drittel|die hälfte',
    ),
    {
      weak: anyOf(
        'study|trial|measured|patients|customers|average|studie|gemessen|patient\\p{L}*|durchschnitt\\p{L}*|mittel',
      ),
      underHeading: 'figure',
      heading: EVIDENCE_HEADING,
      figure: true,
      avoid: anyOf(
        'raising|market (?:grows|size)|revenue|burn|umsatz|markt wächst|net promoter|runway|committed|use of funds|acquisition cost',
      ),
    },
  ),
  paying_customers: topic(
    anyOf(
      'paying (?:customers?|clients?|hospitals?|users?|companies|carriers|practices|subscribers?)|\\d[\\d.,]*\\+? (?:paying |active |enterprise )?(?:customers?|clients?|hospitals?|clinics?|carriers?|practices|companies|subscribers?|merchants|fleets?|members)|pay for|customers? (?:include|pay|are)|among them|signed (?:\\p{L}+ ){0,3}(?:contracts?|customers?)|framework contract|licen[cs]es sold|arr|under contract|contracts? with|we invoice|first to pay|paid contracts|largest being|accounts today',
      'zahlende\\p{L}* (?:kund\\p{L}*|nutzer\\p{L}*|kliniken|praxen|unternehmen)|\\d[\\d.,]*\\s(?:zahlende\\p{L}* |aktive\\p{L}* )?(?:kunden|kliniken|krankenhäuser|praxen|unternehmen|betriebe|abonnent\\p{L}*|verordnungen|rezepte|krankenkassen|kassen)|zahlen für|darunter|rahmenvertr\\p{L}*|verträge? mit|unter vertrag|verkaufte lizenzen|vertragskunden|bestandskunden|bezahlte\\p{L}* verträge|haben bezahlt\\p{L}*|stellen .* rechnung\\p{L}*|größter kunde|zahlende',
    ),
    {
      weak: anyOf('customers?|hospitals?|since|contract|kunden|seit|vertrag'),
      heading: TRACTION_HEADING,
      figure: true,
      avoid: anyOf(
        'pilots?|plan(?:ned)?|target|reachable|market|tam|acquiring|by 20\\d\\d|pilot\\p{L}*|geplant|ziel|markt|bis 20\\d\\d|employees|team|hiring',
      ),
    },
  ),
  pilot_customers: topic(
    anyOf(
      'pilots?|piloted|piloting|pilot (?:customers?|sites?|phase|projects?)|beta|test users?|proof of concept|poc|trial (?:customers?|phase)|early adopters?|design partners?|letters? of intent|lois?|waiting list|waitlist|trial pack|testers',
      'pilot\\p{L}*|testkund\\p{L}*|testnutzer\\p{L}*|testphase|beta\\p{L}*|machbarkeitsstudie|proof of concept|absichtserklärung\\p{L}*|lois?|modellprojekt\\p{L}*|erprobung\\p{L}*|warteliste|feldtest\\p{L}*',
    ),
    {
      weak: anyOf('months?|partners?|sites?|converted|monate|partner|standorte'),
      heading: TRACTION_HEADING,
      avoid: anyOf('autopilot|copilot'),
    },
  ),
  customer_acquisition: topic(
    anyOf(
      'acquir(?:e|es|ing)|acquisition|cac|channels?|leads?|referrals?|inbound|outbound|direct sales|sales (?:team|force|reps?|partners?|representatives?)|field (?:sales|specialists?)|resellers?|distributors?|partnerships?|word of mouth|conversion|marketing|conferences?|congress(?:es)?|trade fairs?|how we (?:win|sell)|content|seo|ads|associations?|prescrib(?:e|ed|ers?)|cold calls?|meeting|demo|landing|win customers|webinars?|each new customer',
      'kundengewinnung|akquise|gewinnen|vertrieb\\p{L}*|kanäle|leads?|empfehlung\\p{L}*|direktvertrieb|außendienst\\p{L}*|partner\\p{L}*|händlernetz|konversion\\p{L}*|marketing|kongress\\p{L}*|messen?|fachmessen|verbände|multiplikatoren|cac|kosten pro neukunde\\p{L}*|neukunde\\p{L}*|verordnende\\p{L}*|verordnen|mundpropaganda|anzeigen|messen|gewonnen|innendienst',
    ),
    {
      weak: anyOf('cost|costs|customer|per|kosten|kunde\\p{L}*|pro'),
      heading: GO_TO_MARKET_HEADING,
      avoid: anyOf(
        'use of funds|% (?:sales|marketing)|years|head of|hiring|head|\\d+ ?% (?:vertrieb|marketing)|leiter\\p{L}*|jahre|sucht|employees',
      ),
    },
  ),
  customer_satisfaction: topic(
    anyOf(
      'nps|net promoter(?: score)?|satisf\\p{L}*|ratings?|rated|stars?|recommend\\p{L}*|testimonials?|reviews?|csat|love|feedback|usage|daily active|renewal|\\d(?:[.,]\\d)? ?/ ?5|would (?:not )?(?:go back|miss|recommend)|comfort|survey(?:ed)?|rates? us|out of (?:5|five|10|ten)',
      'nps|net promoter(?: score)?|zufrieden\\p{L}*|bewertung(?:en)? von|bewerte\\p{L}*|sterne\\p{L}*|weiterempfehl\\p{L}*|empfehlen|kundenstimmen?|rückmeldung\\p{L}*|feedback|nutzungsrate|verlängerung\\p{L}*|befragt\\p{L}*|umfrage|app-store|von 5|bewerten uns|würden uns|sternen',
    ),
    {
      weak: anyOf('customers?|users?|patients?|kunden|nutzer|patient\\p{L}*'),
      heading: anyOf(
        'customers? (?:stay|love|say)|testimonials?|satisfaction|voice|kundenstimmen|zufrieden\\p{L}*|was .* sagen',
      ),
      avoid: anyOf('market|sources?|valuation|markt|quellen?|unternehmensbewertung|own survey'),
    },
  ),
  churn_analysis: topic(
    anyOf(
      'churn(?:ed)?|retention|retain(?:ed|s)?|attrition|cancel(?:led|lations?|s)?|drop-?outs?|renew(?:ed|als?|al rate)?|left us|leave(?: us)?|stay(?:ed|s)?|lost customers?|net revenue retention|nrr|lapsed',
      'churn\\p{L}*|abwanderung\\p{L}*|kündig\\p{L}*|gekündigt|bindung\\p{L}*|kundenbindung|abbruch\\p{L}*|abbrecher\\p{L}*|verlänger\\p{L}*|halten|bleiben|geblieben|verlassen|verlor\\p{L}* kunden',
    ),
    {
      weak: anyOf('customers?|users?|subscribers?|percent|%|kunden|nutzer|monat'),
      heading: anyOf('retention|churn|customers stay|kundenbindung|cohorts?'),
      figure: true,
      avoid: anyOf(
        'stays? (?:hidden|unsolved)|problem|strokes?|patients wait|hospital stay|employees|mitarbeit\\p{L}*|lücke|data never leave|never leave|leave the eu|follow-up|drivers?',
      ),
    },
  ),
};
