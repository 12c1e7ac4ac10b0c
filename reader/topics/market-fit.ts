/** Cues of the questions on product-market fit. */
import { anyFigure, MONEY, moneyOrPercent, percent, PERCENT, SPAN, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';

/** People and organisations that buy, counted; the ending of the English word tells the person who does something. */
const BUYERS =
  '(?!users?|followers|visitors|viewers|readers|players|testers|employees|engineers|developers|researchers|papers|offers|letters|numbers|servers|computers|trainees|committees|degrees|sensors|donors|investors|founders|advis(?:o|e)rs|volunteers|mentors|quarters|meters|liters|layers|filters|others|centers|markers|orders)(?:\\p{L}{3,}(?:ers|ors|ants|ees)|clients|teams|kitchens|subscribers|accounts|contracts|merchants|members|stores|shops|gyms|farms|hotels|hospitals|clinics|practices|schools|universities|companies|firms|businesses|enterprises|brands|policies|licen[cs]es|seats|branches|sites|households|families|pharmacies|banks|cities|municipalities|hospitals|fleets|modules|machines|devices|units|printers|projects)';
const BUYERS_DE =
  '(?:kund\\p{L}*|filialen|kliniken|praxen|unternehmen|betriebe\\p{L}*|verträge|schulen|abonnent\\p{L}*|mitglieder|familien|haushalte|arbeitgeber|händler|hotels|bäckereien|kommunen|gemeinden|kassen|apotheken|standorte|lizenzen|policen|module|geräte|anlagen)';
/** A number of them, with a word or two between. */
const COUNTED = `(?<![\\d.,€$£])\\d[\\d.,]*[km]?\\+? (?:\\p{L}+ ){0,2}(?:${BUYERS}|${BUYERS_DE})`;
/** Things in use at customers. */
const IN_USE = `\\d[\\d.,]*[km]?\\+? (?:\\p{L}+ ){1,2}(?:in the field|in operation|in use|in force|installed|sold|shipped|delivered|moved|in betrieb|im einsatz|verkauft|ausgeliefert)`;
/** Customers who stay or buy again. */
const AGAIN = `re-?book(?:ed|ing)?|(?:book|order|buy|use|bought|ordered|booked)(?: it| us)? again|re-?order(?:ed)?|(?:contract |\\d+.month )?renewals?[^.;\\d]{0,12}${PERCENT}|${PERCENT} (?:\\p{L}+ ){0,3}(?:renew(?:ed|als?)?|retention)|still (?:active|subscribed|customers|using|staked|paying|on board)|(?:bestellen|buchen|kaufen|nutzen)[^.;]{0,20} (?:wieder|erneut)|verlänger(?:n|t)[^.;]{0,20}${PERCENT}|${PERCENT}[^.;]{0,30}verlänger(?:n|t)|noch aktiv`;
/** Words of a customer, in quotation marks. */
const QUOTATION = /^[“„"«]\p{L}[^“”„"«»]{12,}/giu;

export const MARKET_FIT_TOPICS: Readonly<Record<string, Topic>> = {
  paying_customers: topic({
    at: {
      ...under(
        anyOf(
          'paying|(?:\\d[\\d.,]*\\+?) (?:\\p{L}+ ){0,2}(?:customers?|clients?|subscribers?|accounts|contracts|merchants|members|stores|gyms|hospitals|clinics|schools|companies|partners|enterprises)|(?:customers|clients)\\P{L}{0,3}\\d+|(?:our )?(?:customers?|clients?) (?:include|are|such as)|signed (?:contracts?|customers?|with)|contracts? with|\\d[\\d.,]* (?:\\p{L}+ )?orders|orders? (?:from|by|worth|of)|sold (?:to|\\d)|we invoice \\d+|signed (?:\\p{L}+ )?contracts?',
          'zahlende\\p{L}*|\\d[\\d.,]*\\+? (?:\\p{L}+ ){0,2}(?:kund\\p{L}*|kliniken|praxen|unternehmen|betriebe|verträge|schulen|abonnent\\p{L}*)|(?:unsere )?kunden (?:sind|wie)|verträge? mit|verkauft|\\d[\\d.,]* (?:\\p{L}+ )?(?:bestellungen|aufträge)|rechnungen gehen|bezahlte verträge',
          COUNTED,
          IN_USE,
          `(?:pays?|zahl(?:t|en)) (?:us |uns )?${MONEY}`,
          '\\d[\\d.,]* (?:\\p{L}+ ){1,2}(?:pay|active|signed|ordered|reordered|zahlen|bestellt)|\\d[\\d.,]* (?:of|von) \\d+ (?:\\p{L}+ )?(?:have |haben )?(?:signed|pay|ordered|zahlen|unterschrieben)|pledged|backers|pre-?orders?|vorbestell\\p{L}*',
        ),
        'customers',
        'traction',
      ),
      // Beside a price, a number of customers counts with what they bring.
      model: anyOf(`${COUNTED}[^.]{0,60}(?:arr|mrr|seats|contracts)`),
    },
    says: anyOf(
      'pa(?:ying|id) (?:customers?|clients?|users?|subscribers?|members|compan\\p{L}+|hospitals?|clinics?)|(?:fees|revenues?|contracts)[^.;]{0,15} from (?:\\p{L}+ ){0,3}(?:customers|clients|startups|companies|users)|(?:first|commercial|major) (?:\\p{L}+ ){0,3}contracts? signed|(?:\\d[\\d.,]*\\+?) (?:active |enterprise |b2b |corporate |business )?(?:customers|clients|subscribers|merchants) (?:(?:in|use|using|across|already|today|since|trust)(?!\\p{L}))|(?:active|paying) (?:customers|clients|accounts)\\P{L}{0,3}\\d+|\\d[\\d.,]*\\+? (?:hospitals|clinics|companies|stores|schools|carriers|fleets) (?:pay|use|already use)|signed (?:\\d+ )?(?:customers?|contracts?)|licen[cs]es sold|units sold',
      'zahlende[nr]? \\p{L}+|paying \\p{L}{4,}s|paid pilots?|\\d[\\d.,]*\\+? (?:aktive |zahlende )?(?:kunden|kundinnen|abonnenten) (?:in|nutzen|seit|vertrauen)|\\d[\\d.,]* (?:kliniken|praxen|unternehmen|betriebe|kassen) (?:zahlen|nutzen)|verkaufte (?:lizenzen|geräte)|unter vertrag',
    ),
    notAt: [
      'model',
      'market',
      'roadmap',
      'ask',
      'funds',
      'financials',
      'problem',
      'team',
      'persona',
      'sales',
      'hiring',
      'pilots',
      'vision',
      'today',
      'competition',
      'timing',
      'risks',
    ],
    not: anyOf(
      'pilots?(?=: )|pilots? (?:accounts?|pipeline|with|in|at|projects?|customers?)|plan(?:ned|s)?|targets?|potential|projected|goal|will (?:have|reach|be)|by 20\\d\\d|until 20\\d\\d|pilot(?:kunden|projekt\\p{L}*)|geplant|ziel|potenziell\\p{L}*|bis 20\\d\\d|years of experience|discord|newsletter|free|cancell?ed|gekündigt|if|assum\\p{L}*|predictions?|would',
    ),
    figure: anyFigure,
    absent: anyOf('pre-?revenue|no (?:paying )?customers(?: yet)?|(?:noch )?keine (?:zahlenden )?kunden'),
  }),
  pilot_customers: topic({
    at: under('any', 'pilots'),
    says: anyOf(
      '(?:\\d+ |first |paid |initial |successful |clinical |our |ongoing |active |running |signed |secure )(?:\\p{L}+ ){0,2}pilots?|pilots? (?:with|in|at|projects?|customers?|programs?|partners?|deployments?|sites?|stud(?:y|ies)|trials?|running|started|completed|launch(?:ed)?|phase|run|agreements?)|piloting|piloted|lived with it|used it for|beta (?:run|users?|testers?|test|version|launch|phase|customers?)|(?:closed|open|public|private) beta|test users?|(?:tested|validated) (?:by|with)|(?:actively )?using (?:the|our) (?:mvp|prototype|beta)|testers|early adopters?|design partners?|letters? of intent|lois?|wait(?:ing )?list|proofs? of concept|pocs?|field tests?|co-design|soft commitments|first-in-human|(?:study|trial|evaluation|demo) (?:with|in|of) \\d[\\d.,]*|demo (?:users?|players?)',
      'pilot(?:kund\\p{L}*|projekt\\p{L}*|phase|partner\\p{L}*|studie\\p{L}*|betrieb\\p{L}*|anwender\\p{L}*|iert\\p{L}*|en)|pilot (?:mit|bei|in)|begleitstudie\\p{L}*|studie[^.;]{0,40}n ?= ?\\d+|testkund\\p{L}*|testnutzer\\p{L}*|testphase|beta-?(?:phase|test\\p{L}*|nutzer\\p{L}*|version)|absichtserklärung\\p{L}*|modellprojekt\\p{L}*|erprob(?:t|ung\\p{L}*)|warteliste|feldtest\\p{L}*',
    ),
    notAt: ['team', 'hiring', 'problem', 'market', 'competition', 'regulatory', 'timing', 'risks'],
    not: anyOf(
      'expenses|ftes?|hosting|servers?|autopilot|co-?pilots?|pilots? (?:licen[cs]e|training|school)|air(?:line|craft)|fighter',
    ),
  }),
  customer_acquisition: topic({
    at: {
      sales: 'any',
      economics: anyOf(
        'cac|customer acquisition costs?|cold calls?|by referral|paid (?:search|social|ads)|akquisekosten',
      ),
    },
    says: anyOf(
      '(?:acquir(?:e|es|ing)|win|winning|attract(?:ing)?|reach(?:ing)?|onboard(?:ing)?) (?:\\p{L}+ ){0,2}(?:customers|clients|users|hospitals|members)|customer acquisition|cac|(?:sales|marketing|distribution|acquisition) (?:channels?|strateg(?:y|ies)|partners?|team|force|campaigns?|funnel)|direct sales|inbound|outbound|(?<!financing )referrals?(?: programs?)?(?! (?:fee|of))|word.of.mouth|social media|influencers?|seo|cold (?:calls?|e-?mails?)|lead generation|(?:via|through|over|our|signed|with) (?:\\p{L}+ ){0,2}(?:resellers?|distributors?)|trade (?:fairs?|shows?)|conferences?|affiliates?|paid (?:ads|search|social)|ads? on|viral|marketing campaigns?|via (?:doctors|partners|pharmacies|app stores?)|conversion rates?|existing (?:\\p{L}+ ){0,3}distribution|field agents?|sales agents?|on commission|field days|no advertising|no ads|waiting list',
      'free (?:\\d+.\\p{L}+ )?trials?|trials? converted|kostenlose\\p{L}* test(?:phase|monat|zeitraum)?|kundengewinnung|kundenakquise|akquise|(?:neu)?kunden (?:zu )?gewinnen|vertriebs(?:kanäle|kanal|partner\\p{L}*|team|weg\\p{L}*|strategie)|direktvertrieb|außendienst|empfehlung(?:en|smarketing|sprogramm)?|social media|influencer|seo|mundpropaganda|kaltakquise|messen|kongresse\\p{L}*|multiplikatoren|werbung|marketingkampagnen?|konversionsrate|leads',
    ),
    notAt: [
      'team',
      'problem',
      'solution',
      'funds',
      'hiring',
      'evidence',
      'financials',
      'persona',
      'today',
      'ask',
      'regulatory',
      'competition',
      'company',
      'economics',
      'benefit',
      'timing',
      'voices',
      'market',
    ],
    not: anyOf(
      'sales cycle|vertriebszyklus|purchase decision|kaufentscheidung|rates? us|bewerten uns|say they|would miss|promoter|deals close|abschlüsse dauern|hiring|ftes?|patient referrals?|referrals? to (?:an? )?(?:doctor|specialist|physician)|head of|years|experience|acquired by|acquisition opportunity|forward-looking|messung|messen (?:wir|sie)|team leads?',
    ),
    figure: moneyOrPercent,
  }),
  customer_satisfaction: topic({
    at: {
      voices: 'sentence',
      ...under(
        new RegExp(`${QUOTATION.source}|${anyOf(AGAIN, `${PERCENT}[^.;]{0,40}positive?`).source}`, 'giu'),
        'traction',
        'customers',
        'economics',
        'model',
        'pilots',
        'evidence',
      ),
    },
    says: anyOf(
      `nps|net promoter(?: score)?|csat|${PERCENT}[^.;]{0,30}(?:satisf\\p{L}*|recommend\\p{L}*|happy|would|love|approval)|(?:satisf\\p{L}*|recommend\\p{L}*|rating|rated)[^.;]{0,25}\\d[\\d.,]*\\s?(?:%|/|out|stars?|of)?|\\d[.,]\\d\\s?(?:stars?|/ ?5|★|out of 5)|\\d-star|\\d[\\d.,]*\\+? (?:positive )?reviews|(?:customers?|users|clients|adopters|patients|doctors|members|students) (?:love|enjoy|rave|are (?:very )?(?:happy|satisfied))|(?:customer|user|patient) satisfaction|testimonials?|(?:positive|great|excellent) feedback|app store rating|retention of ${PERCENT}|rates? us \\d|(?:bewerten|bewertet) uns mit \\d|usability|acceptab\\p{L}*|${PERCENT}[^.;]{0,40}(?:once a (?:week|day|month)|every (?:day|week|month)|einmal (?:pro|in der|die) woche|wöchentlich|täglich)|would (?:use|buy|do|book|order) it again|${PERCENT} very`,
      `(?:kunden|nutzer|patienten)?zufriedenheit|zufriedene\\p{L}* (?:kunden|nutzer)|${PERCENT}[^.;]{0,30}(?:zufrieden\\p{L}*|empfehlen|weiterempfehl\\p{L}*|würden)|weiterempfehl\\p{L}*|\\d[.,]\\d (?:von 5|sterne)|positive\\p{L}* (?:rückmeldung\\p{L}*|feedback|bewertung\\p{L}*)|kundenstimmen`,
    ),
    notAt: [
      'market',
      'problem',
      'team',
      'financials',
      'ask',
      'funds',
      'roadmap',
      'hiring',
      'today',
      'competition',
      'model',
      'risks',
      'regulatory',
      'solution',
    ],
    not: anyOf('pegi|usk|esrb|peer.review\\p{L}*|investor review|credit rating|energy rating|code review|market'),
    figure: anyFigure,
  }),
  churn_analysis: topic({
    at: under(anyOf(AGAIN), 'traction', 'customers', 'economics', 'model'),
    says: anyOf(
      `churn(?:ed| rates?)?[^.;]{0,30}\\d|\\d[\\d.,]*\\s?%?[^.;\\d]{0,30}churn(?:ed| rates?)?|(?:customer|user|client|net revenue|gross|logo|day.\\d+|month.\\d+|\\d+.(?:day|week|month)) retention|retention (?:rates?|of|:|is|at)|${PERCENT} (?:\\p{L}+ ){0,2}retention|renewal rates?|${PERCENT} (?:of (?:\\p{L}+ ){0,3})?(?:renew(?:ed|als?)?|stay(?:ed)?|cancel(?:led)?|return(?:ing)?)|repeat (?:customers?|purchase|rate|orders?)|average (?:length of time|duration|lifetime|stay|time) [^.;]{0,25}(?:with us|customers?|clients?|stays?)|(?:no|only|\\d+) (?:\\p{L}+ )?(?:customers?|clients?|accounts?|subscribers?) (?:has |have )?(?:left|cancell?ed|churned)|retention (?:stands|stood|was)|nrr|drop.?out rate|customers? (?:leave|left|cancel)|repeat buyers?|(?:signed|back) for (?:this|the next|another) (?:season|year)|have stopped|stopped using|came back`,
      `churn(?:-?rate|quote)?|abwanderung(?:squote|srate)?|kündigungs(?:quote|rate)|kundenbindung(?:srate)?|bindungsrate|verlängerungs(?:quote|rate)|wiederkaufs?rate|abbruchquote|${PERCENT} (?:\\p{L}+ ){0,3}(?:bleiben|verlängern|kündigen)|bleiben[^.;\\d]{0,12}${PERCENT}|(?:\\d+|kein\\p{L}*|zwei|drei|vier) (?:\\p{L}+ )?kund\\p{L}* (?:haben |hat )?gekündigt|kein (?:einziger )?kunde hat|\\d+ (?:\\p{L}+ ){1,4}(?:wieder )?aufgehört|(?:bisher |noch )?keine kündigung(?:en)?`,
    ),
    notAt: [
      'problem',
      'market',
      'team',
      'ask',
      'funds',
      'hiring',
      'today',
      'competition',
      'persona',
      'roadmap',
      'evidence',
      'regulatory',
      'solution',
    ],
    not: anyOf(
      'employees?|staff|talent|mitarbeit\\p{L}*|personal|students? retention|data retention|reduc\\p{L}* churn',
    ),
    figure: new RegExp(
      `${percent.source}|${anyOf(SPAN, '\\d+ (?:\\p{L}+ )?(?:customers?|clients?|accounts?|subscribers?|kund\\p{L}*)', 'keine kündigung(?:en)?|\\d+ (?:of|von) \\d+|\\d+ \\p{L}+ (?:haben|have)').source}`,
      'giu',
    ),
  }),
};
