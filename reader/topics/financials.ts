/** Cues of the questions on financials and the ask. */
import { money, MONEY, moneyOrPercent, percent, SPAN, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';
import { NOT_OUR_MONEY, OTHER_MONEY } from './shared.ts';

/** Figures of several periods side by side; the unit stands over the table. */
const NUMBERS_IN_ROW = String.raw`(?:\(?-?\d[\d.,]*\)?\s+){2,}\(?-?\d`;
const REVENUE = anyOf(
  '(?:net |gross |monthly |annual |total |recurring |projected )?(?:revenues?|sales|turnover)|mrr|arr|gmv|bookings|umsatz|umsätze|annuali[sz]ed premiums?|gross written premiums?|umsatzerlöse|erlöse|einnahmen|jahresumsatz|monatsumsatz',
);
/** A part of the year. */
const MONTH =
  '(?:january|february|march|april|june|july|august|september|october|november|december|nov–dec|summer|winter|spring|autumn|christmas|q[1-4])';
const MONAT =
  '(?:januar|februar|märz|april|juni|juli|august|september|oktober|november|dezember|sommer|winter|frühjahr|herbst|weihnacht\\p{L}*)';
const REVENUE_OR_RATE = new RegExp(
  `${REVENUE.source}|${anyOf(`${MONEY}\\)? (?:this|last|per|a) (?:year|month|quarter)`).source}`,
  'giu',
);
const COSTS = anyOf(
  'burn|ebit|(?:total |fixed |variable |operating |annual |monthly |net )?(?:costs?|expenses|loss(?:es)?|expenditures?|opex|income)|ebitda?|profit|cash.?flow|margin|cogs|salaries|spend(?:ing)?',
  'burn|kosten|(?:gesamt|betriebs|personal|fix|material)kosten|ausgaben|aufwand|aufwendungen|verlust\\p{L}*|jahresfehlbetrag|jahresüberschuss|ebitda?|gewinn|ergebnis|personalaufwand',
);
const MONEY_OF_ROUND = anyOf(
  `raising|raise|rais(?:ed|es)|seek(?:ing|s)?|seed|series [a-e]|round|valuation|pre-?money|post-?money|equity|convertible|safe|notes?|bridge|grant|investors?|tranches?|dilution|runway`,
  'kapitalbedarf|finanzierung\\p{L}*|runde|bewertung|beteiligung|anteile|wandeldarlehen|zugesagt|investor\\p{L}*|fördermittel|eingeworben|suchen|benötigen',
);
/** Words of the round, or an amount that is not said to be revenue. */
const ROUND_OR_AMOUNT = new RegExp(
  `${MONEY_OF_ROUND.source}|^(?![^]*${anyOf('revenues?|arr|mrr|sales|ebitda|customers|users|umsatz|kund\\p{L}*').source})[^]*${money.source}`,
  'giu',
);

export const FINANCIAL_TOPICS: Readonly<Record<string, Topic>> = {
  monthly_burn: topic({
    says: anyOf(
      `(?:net |gross |monthly |current )?burn(?: ?rate)?|monthly (?:costs?|spend(?:ing)?|expenses|loss|cash ?out)|spend(?:s|ing)? (?:about |around )?${MONEY} (?:per|a) month|(?:costs?|expenses) (?:of )?${MONEY} (?:per|a|/) ?month|spend(?:s|ing)? ${MONEY} more than|${MONEY} mehr aus,? als|cash (?:at hand|in the bank|position|balance)`,
      `verbrauch[^.;\\d]{0,15}${MONEY} (?:im|pro|je) monat`,
      'burn-?rate|net.?burn|(?:monatliche\\p{L}* )(?:kosten|ausgaben|verlust\\p{L}*|mittelabfluss)|mittelabfluss|(?:ausgaben|kosten) (?:pro|im|je) monat|kassenbestand',
    ),
    notAt: [...OTHER_MONEY, 'pricing', 'hiring', 'benefit', 'solution'],
    not: anyOf('burnout|burn-?in|calories|burned|slow burn|airport|runway show'),
    figure: new RegExp(`${money.source}|${anyOf(SPAN).source}`, 'giu'),
    figureOnly: true,
  }),
  monthly_sales: topic({
    at: {
      ...under(REVENUE_OR_RATE, 'traction', 'financials', 'customers'),
      model: anyOf(`${MONEY} (?:arr|mrr)|(?:arr|mrr|gmv)[^.;\\d]{0,14}${MONEY}`),
    },
    says: anyOf(
      `(?:monthly|annual) (?:recurring )?(?:revenues?|sales)|mrr|arr|(?:revenues?|sales|gmv|turnover) (?:of|reached|was|were|grew|is|hit|exceeded|in|to) (?:\\p{L}+ ){0,3}${MONEY}|${MONEY} (?:in |of )?(?:\\p{L}+ ){0,2}(?:revenues?|sales|mrr|arr|gmv|bookings)|(?:revenue )?run.?rate|(?:sold|collected|earned|generated|invoiced|booked) (?:over |about |more than |~)?${MONEY}|${MONEY}\\s?(?:/|per|a) ?month in (?:pre-?)?(?:orders|sales|bookings)|(?:january|february|march|april|may|june|july|august|september|october|november|december): ~?${MONEY}`,
      `monatliche\\p{L}* (?:umsatz|umsätze|erlöse|einnahmen)|monatsumsatz\\p{L}*|jahresumsatz|(?:umsatz|umsätze|erlöse|einnahmen) (?:von|lag|liegt|betrug|erreichte|in höhe von|pro monat|im monat) (?:\\p{L}+ ){0,3}${MONEY}|${MONEY} (?:\\p{L}+ ){0,2}(?:umsatz|mrr|arr|jahresumsatz|umgesetzt|eingenommen)`,
    ),
    notAt: [
      ...OTHER_MONEY,
      'pilots',
      'ask',
      'funds',
      'roadmap',
      'pricing',
      'hiring',
      'vision',
      'sales',
      'model',
      'economics',
      'benefit',
    ],
    not: new RegExp(
      `${NOT_OUR_MONEY.source}|${anyOf('sales (?:team|force|cycle|manager)|head of sales|savings|scaled|clients?.{0,10} revenue|cost of sales|target|goal|retention|season\\p{L}*|saison\\p{L}*').source}`,
      'giu',
    ),
    figure: new RegExp(`${moneyOrPercent.source}|${NUMBERS_IN_ROW}`, 'giu'),
    figureOnly: true,
    absent: anyOf(
      'pre-?revenue|no revenues?(?: yet)?|(?:nobody|no one) pays yet|(?:noch )?keine? (?:umsatz|umsätze|erlöse)',
    ),
  }),
  financial_fluctuations: topic({
    says: anyOf(
      'season(?:al|ality)|fluctuat(?:es?|ions?|ing)|(?:revenue|price|demand|currency|income|cash.?flow|cost) (?:swings?|volatility|peaks?|dips?)|volatil(?:e|ity)|cyclical(?:ity)?|lumpy|one-off|late payments?|payment terms|predictable[, ]|weak (?:in )?(?:summer|winter|quarter)|var(?:y|ies) by',
      `(?:strong|weak|drops?|dropp(?:ed|ing)|empty|dead|full|flat|low|high|halves?|peaks?|busy|quiet)[^.;]{0,40}${MONTH}|${MONTH}[^.;]{0,40}(?:strong|weak|drops?|empty|dead|full|flat|low|high|only|peaks?|busy|quiet)|pay(?:s|ing)? (?:us )?(?:only )?after ${SPAN}|billed in ${MONTH}|(?:stark|schwach|leer|wenig|nichts|nur|ruhig|voll)\\p{L}*[^.;]{0,40}${MONAT}|${MONAT}[^.;]{0,40}(?:stark|schwach|leer|wenig|nichts|nur|ruhig|voll)\\p{L}*|haushaltssperre`,
      'saison(?:al|alität|geschäft|bedingt|abhängig)\\p{L}*|schwankung\\p{L}*|schwanken|volatil\\p{L}*|zyklisch\\p{L}*|einmaleffekt\\p{L}*|sommerloch|zahlungsziel\\p{L}*',
    ),
    with: anyOf(
      'revenues?|sales|business|quarters?|costs?|cash|demand|orders?|income|prices?|currency|margins?|volume|buys?|cheque|bill(?:s|ed)?|retailers|full|empty|geschäft|quartal|rechnungen|dezember|umsatz|umsätze|kosten|nachfrage|erlöse|einnahmen|preise?|aufträge|liquidität',
    ),
    notAt: [
      'problem',
      'market',
      'team',
      'evidence',
      'solution',
      'persona',
      'timing',
      'competition',
      'today',
      'benefit',
    ],
    not: anyOf('market volatility|users?|invest(?:s|ed)?|mood|heart|blood|hormon\\p{L}*|symptom\\p{L}*|seasoned'),
  }),
  annual_burn: topic({
    at: under(COSTS, 'financials'),
    says: anyOf(
      `(?:annual|yearly|total|operating|fixed) (?:burn|costs?|loss|expenses|spending)|costs per year|ebitda|net (?:loss|income|profit)|operating income|burn (?:of )?${MONEY}|opex|cash used|(?:plan to )?consume ${MONEY}`,
      'jährliche\\p{L}* (?:kosten|ausgaben|verluste?)|jahresfehlbetrag|gesamtkosten|betriebskosten|ebitda|kosten (?:pro|im) jahr|(?:kapital|mittel)verbrauch|verbrauchen wir',
    ),
    notAt: [...OTHER_MONEY, 'pricing', 'hiring', 'benefit', 'solution', 'customers', 'advantage', 'voices', 'sales'],
    not: new RegExp(
      `${NOT_OUR_MONEY.source}|${anyOf('per case|pro fall|total cost of ownership|weight loss|data loss|income (?:families|households?)|low.income|cost.effective|cost reduction|kostengünstig|profitable customers').source}`,
      'giu',
    ),
    figure: new RegExp(
      `${money.source}|(?<![\\p{L}\\d])-?\\d{1,3}(?:[.,]\\d{3})+|\\(\\d[\\d.,]*\\)|${percent.source}|${anyOf('20\\d\\d|q[1-4]|year \\d|fy ?\\d+|month \\d+').source}`,
      'giu',
    ),
    figureOnly: true,
  }),
  funding_requirements: topic({
    at: { ask: ROUND_OR_AMOUNT, funds: anyOf(`${MONEY} (?:eigenkapital|equity|fremdkapital|debt|wandeldarlehen)`) },
    says: anyOf(
      `(?:raising|seeking|looking for|need|ask(?:ing)? for|raise) (?:\\p{L}+ ){0,4}${MONEY}|${MONEY} (?:\\p{L}+ ){0,2}(?:pre-?seed|seed|round|bridge|series [a-e]|investment|raise|for \\d+% equity)|(?:pre-?seed|seed|series [a-e]|bridge|funding) round|(?:pre|post).?money valuation|valuation cap|\\d+% equity|convertible (?:note|loan)|seeking (?:funding|investment|investors)|lead investor|soft.?circled|${MONEY} committed`,
      `(?:suchen|benötigen|brauchen|einwerben|nehmen) (?:\\p{L}+ ){0,4}${MONEY}|kapitalbedarf|finanzierungsbedarf|finanzierungsrunde|seed-?runde|bewertung (?:von|pre|post)|wandeldarlehen|\\d+ ?% (?:der )?(?:anteile|beteiligung)`,
    ),
    // Elsewhere the rule that extracts the ask decides.
    reach: 'there',
    notAt: [
      'market',
      'problem',
      'team',
      'today',
      'competition',
      'persona',
      'evidence',
      'timing',
      'customers',
      'voices',
      'pricing',
      'sales',
    ],
    not: anyOf(
      '(?:potential|projected) revenues?|mentorship|scaled|users? ask|market (?:of|size)|round.the.clock|customers? seeking|former|previously|fintech',
    ),
    figure: moneyOrPercent,
    absent: anyOf(
      'not (?:currently )?(?:raising|seeking (?:funding|investment))|fully bootstrapped|self-funded|kein(?:en)? kapitalbedarf',
    ),
  }),
};
