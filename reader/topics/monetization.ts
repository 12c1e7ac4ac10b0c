/** Cues of the questions on who pays, how much and how it is sold. */
import { money, MONEY, moneyOrPercent, percent, PERCENT, SPAN, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';
import { NOT_OUR_MONEY, OTHER_MONEY } from './shared.ts';

const PAYERS = anyOf(
  'customers?|clients?|hospitals?|clinics?|patients?|insur(?:ers?|ance)|employers?|compan(?:y|ies)|enterprises?|smbs?|smes?|consumers?|users?|students?|parents|merchants?|brands?|schools?|universit(?:y|ies)|government|cities|gyms|households?|members?|advertisers?|partners?|b2b2?c?|b2c|b2g|d2c|subscribers?|per.seat|franchis\\p{L}*|retailers?|buyers?|sellers?|travell?ers|payers?',
  'kund\\p{L}*|klinik\\p{L}*|krankenh\\p{L}*|patient\\p{L}*|krankenkassen?|versicher\\p{L}*|arbeitgeber|unternehmen|firmen|nutzer\\p{L}*|verbraucher|schulen|kommunen|händler|haushalte?|mitglieder|werbekunden|kostenträger|selbstzahler\\p{L}*|praxen|apotheken|endkunden|geschäftskunden|privatkunden',
);
/** Words of paying. */
const PAYING = anyOf(
  `pays?|paid|paying|charg(?:e|es|ed|ing)|subscri\\p{L}*|fees?|pric(?:e|es|ed|ing)|licen[cs]\\p{L}*|commissions?|sales?|buys?|economic buyers?|free|${MONEY}`,
  'zahl(?:t|en)|bezahl\\p{L}*|gebühr\\p{L}*|lizenz\\p{L}*|abo\\p{L}*|preis\\p{L}*|provision\\p{L}*|erstatt\\p{L}*|kostenlos',
);
/** Somebody beside a word of paying. */
const PAID_BY = new RegExp(
  `${PAYING.source}[^.;]{0,60}${PAYERS.source}|${PAYERS.source}[^.;]{0,60}${PAYING.source}|${anyOf('b2b2?c?|b2c|b2g|d2c').source}|^(?:\\p{L}+ ){1,4}(?:pays?|zahl(?:t|en)) `,
  'giu',
);
export const PRICE = anyOf(
  'pay only for|pay.per.(?:use|\\p{L}+)|pay.as.you.go|nutzungsbasierte\\p{L}* (?:preise?|abrechnung)',
  `${MONEY}\\s?(?:/\\s?|(?:per|a|an|each|pro|je|im) )\\p{L}+|${PERCENT} of (?:each |every |all |the )?(?:sales?|transactions?|bookings?|order value)|${MONEY} (?:monthly|annually|yearly|monatlich|jährlich|subscription)|(?:price|priced|pricing|costs?|subscription|fee|starting|from|preis|kostet|ab|gebühr|abo)\\p{P}? (?:\\p{L}+ ){0,3}${MONEY}|\\d+ services for ${MONEY}`,
  `${PERCENT} (?:commission|fee|take rate|transaction fee|provision|revenue share|of (?:each|every) (?:transaction|sale|booking)|umsatzbeteiligung)|(?:commission|take rate|transaction fee|provision)\\p{P}? (?:of |von )?${PERCENT}`,
);
/** Ways of setting a price. */
export const PRICE_KIND = anyOf(
  'subscriptions?|freemium|free (?:tier|plan|version|base version)|premium|licen[cs](?:e|es|ing)|saas|commissions?|(?:transaction|listing|setup|service|licen[cs]e|success|platform) fees?|pay.per.(?:use|\\p{L}+)|pay (?:only )?for|tiers?|tiered|hourly rates?|retainer|project.based|custom pricing|per.seat|revenue shar(?:e|ing)|rev share|markup|one.time|a-la-carte|pricing models?|dynamic pricing|affordable|lower (?:subscription )?fees',
  'abos?|abonnements?|freemium|kostenlose\\p{L}* (?:version|basis\\p{L}*)|premium|lizenz\\p{L}*|provision\\p{L}*|gebühr\\p{L}*|einmalig\\p{L}*|staffel\\p{L}*|umsatzbeteiligung|pauschale\\p{L}*|stundensatz|preismodell\\p{L}*|nutzungsabhängig\\p{L}*',
);
const ECONOMICS = anyOf(
  'margins?|loss(?:es)?|fees?|price|costs?|cac|ltv|payback|profit|contribution|revenue per|arpu|marge|kosten|deckungsbeitrag|gewinn|umsatz (?:pro|je)',
);

/** Somebody who pays an amount, or of whom it is taken. */
const PAYS_AMOUNT = `\\p{L}+ (?:pays?|zahl(?:t|en)) (?:us |uns |only |nur |just |a |an |about |etwa )?${MONEY}|(?:fees?|commissions?|revenues?|premiums?) from (?:the )?\\p{L}+|(?:licen[cs]es?|sales?|sold) (?:\\p{L}+ ){0,4}to (?:\\p{L}+ )?(?:groups|companies|hospitals|schools|retailers|operators|manufacturers|chains)`;
/** A price for each of those who use it, whom another one pays for. */
const FOR_OTHERS = `(?:${MONEY}|\\d[\\d.,]*)\\s?(?:per|a|pro|je|/) ?(?:\\p{L}+ )?(?:worker|pupil|patient|student|child|nurse|tenant|resident|driver|schüler\\p{L}*|patient\\p{L}*|bewohner\\p{L}*|kind|fahrer\\p{L}*)`;

/** A price for each employee; the employer pays it. */
const OF_STAFF = '(?:per|pro|je) (?:employee|mitarbeit\\p{L}*|beschäftigte[mnr]?)';
/** What is left of a price, on a slide on the business model. */
const PER_UNIT = anyOf(
  'cogs|cost of \\p{L}+|contribution|gross (?:margin|profit)|payback|margins?|loss rate|deckungsbeitrag|marge|rohertrag|herstell(?:ungs)?kosten',
);

export const MONETIZATION_TOPICS: Readonly<Record<string, Topic>> = {
  payer_identification: topic({
    at: under(
      new RegExp(`${PAID_BY.source}|${anyOf(PAYS_AMOUNT).source}|${anyOf(FOR_OTHERS, OF_STAFF).source}`, 'giu'),
      'model',
      'pricing',
      'economics',
    ),
    says: anyOf(
      PAYS_AMOUNT,
      '(?:customers?|hospitals?|clinics?|patients?|insurers?|employers?|companies|clients|merchants|users|students|parents|advertisers|brands|gyms|schools|consumers|members|government|payers?)(?: (?:who|that|can|will|then|only|usually|typically|directly|currently))? (?:pays?|are charged|subscribe|buy|purchase)|paid (?:for )?by|reimburs(?:ed|ement)(?: by)?|covered by (?:\\p{L}+ )?insurance|we (?:charge|bill|invoice)|self.pay|billed to|(?:users?|consumers?|customers?|members|clients)[^.;]{0,80} pay (?:only )?(?:for|per)|(?:b2b|b2c|b2g|b2b2c)(?: saas| subscription| model| licen[cs]e\\p{L}*)?|licen[cs]es? (?:to|for) (?:hospitals|clinics|companies|enterprises|schools)|sold to|employer.paid|who pays|the \\p{L}+ pays?',
      'vertragspartner (?:ist|sind)|rechnungsempfänger|(?:krankenkassen?|kunden|kliniken|patienten|arbeitgeber|unternehmen|nutzer|eltern|praxen|betriebe|versicherungen|kassen)(?: \\p{L}+)? (?:zahl(?:t|en)|erstatt(?:et|en)|übernehm(?:en|t)|trag(?:en|t)|kauf(?:en|t))|bezahlt von|erstattet|kostenträger|selbstzahler\\p{L}*|abrechn\\p{L}* über|(?:b2b|b2c|b2g)(?:-\\p{L}+)?|wer zahlt|kostenübernahme',
    ),
    notAt: [
      'market',
      'problem',
      'today',
      'persona',
      'competition',
      'team',
      'funds',
      'hiring',
      'evidence',
      'timing',
      'company',
      'regulatory',
      'roadmap',
    ],
    not: anyOf(
      'b2[bcg] (?:clinic side|sales experience|experience|market(?:ing)?)|forward-looking|market of|pay when|get paid|pays? late|paid by the (?:day|hour|week|month|mile|piece)',
    ),
  }),
  payer_vs_user: topic({
    at: under(anyOf(FOR_OTHERS), 'model', 'pricing'),
    says: anyOf(
      `\\p{L}+ (?:pays?|zahl(?:t|en)) ${FOR_OTHERS}`,
      '(?:users?|patients?|consumers?|students?|drivers?|employees|members|citizens|tenants|doctors|nurses) (?:\\p{L}+ ){0,2}(?:pay nothing|for free|free of charge|do not pay|don.t pay)|free (?:for|to) (?:\\p{L}+ )?(?:users?|patients?|consumers?|students?|drivers?|employees|members|job seekers|tenants)|two.sided (?:market\\p{L}*|platform|model)|(?:hospitals?|employers?|insurers?|companies|parents|schools|clinics|business(?:es)?) pays?[^.;]{3,60}(?:patients?|employees|children|students|users?|workers|staff)|payer(?:s)? (?:and|vs\\.?|is not) user|both sides|b2b2c',
      `users? (?:are|is) not (?:the )?(?:payers?|buyers?|customers?)|users?(?: are|:) [^.!?]{3,100}(?:pays?|payers?|(?:money|budget) comes from|the bill)|uses? (?:it|the \\p{L}+)[,;] [^.!?]{3,80} pays?|who uses(?: it)?(?=: | and who)|who pays(?=: )|pays?\\. [^.]{3,60}(?:uses?|works with)|(?:wants?|uses?) it, [^.;]{2,40}(?:signs|pays|decides)`,
      '(?:nutzer|patienten|versicherte|mitarbeitende|kunden|studierende|schüler|mieter)\\p{L}* (?:\\p{L}+ ){0,2}(?:zahlen nichts|kostenlos|kostenfrei|zahlen nicht)|(?:kostenlos|kostenfrei) für (?:\\p{L}+ )?(?:nutzer|patient|versicherte|mitarbeit|studierende|schüler|mieter)\\p{L}*|zweiseitige\\p{L}*|(?:kliniken|arbeitgeber|kassen|krankenkassen|unternehmen|eltern|schulen) zahlen[^.;]{3,60}(?:patient|mitarbeit|kinder|schüler|nutzer)\\p{L}*|b2b2c|zuzahlung',
      'nutzer(?:innen)?: [^!?]{3,100}zahler|(?:nutzer|anwender)\\p{L}* sind [^.!?]{3,80}(?:zahl(?:t|en)|zahler)|nutz(?:en|t) [^.!?]{3,80}, (?:es )?zahl(?:t|en)|wer nutzt(?=: )|wer zahlt(?=: )|zahler(?=: )|zahl(?:t|en) nichts|zahl(?:t|en) [^.;]{3,60}, (?:der|die|das) [^.;]{3,40} (?:zahl(?:t|en) )?(?:nichts|nicht)',
    ),
    notAt: ['problem', 'today', 'persona', 'competition', 'team', 'funds', 'hiring', 'timing', 'market'],
  }),
  decision_making: topic({
    says: anyOf(
      '(?:key |purchas\\p{L}+ |buying |budget |economic )?decision.makers?|(?:purchas\\p{L}+|buying|procurement) (?:decision|process|committee|center|department)|procurement|(?:public )?tenders?|economic buyer|budget (?:owners?|holders?)|decides? (?:on|about) the (?:purchase|budget)|approved? by (?:the )?(?:board|committee|procurement|it)|champion(?:s)? (?:inside|within|at)|sign.?off|buying cycle|buyers (?:now )?(?:want|prefer|need|shortlist|require|decide|evaluate)|target buyers?|buying decision|(?:heads?|director|principal|owner|board|management|committee|cfo|cio|cto|ceo) (?:\\p{L}+ )?(?:decides?|signs|approves?)|champions?(?=:)|veto(?=:)|goes to (?:\\p{L}+ ){0,3}committee|(?:two|three|four|\\d+) (?:people|persons|parties) decide|have a veto',
      'entscheide[nt] mit|es entscheide[nt]|(?:ein )?veto|entscheid(?:er|ungsträger|erinnen)\\p{L}*|kaufentscheidung\\p{L}*|beschaffung\\p{L}*|einkaufs?abteilung|ausschreibung\\p{L}*|einkaufs?gremium|budgetverantwort\\p{L}*|(?:geschäftsführung|chefarzt|verwaltung|gemeinderat|it) entscheidet|genehmigung durch',
    ),
    notAt: ['problem', 'solution', 'team', 'hiring', 'evidence', 'benefit', 'legal', 'financials', 'ask'],
    not: anyOf(
      'decision support|informed decisions?|experience|years|faster decisions|entscheidungsunterstützung|patient recruitment',
    ),
  }),
  sales_cycle: topic({
    says: anyOf(
      `sales cycles?|(?:deal|buying|procurement) cycles?|time to (?:close|contract)|(?:close|closed|sign|signed|convert)\\p{L}* (?:\\p{L}+ ){0,3}(?:in|within|after) ${SPAN}|from [^.;\\d]{3,30} to (?:\\p{L}+ ){0,3}(?:contract|order|purchase order|po|payment|signature|signing|close|closing|revenue|go-live)|procurement takes`,
      `vertriebszyk(?:lus|len)|verkaufszyk(?:lus|len)|sales.?cycle|(?:vom|von der?) (?:erst\\p{L}*|ersten) ?(?:\\p{L}+ )?bis (?:zum|zur)|abschl(?:uss|üsse) (?:\\p{L}+ ){0,2}(?:in|nach|innerhalb von|dauern) ${SPAN}|dauer bis (?:zum )?(?:abschluss|vertrag)|rechnen mit [^.;]{0,12}\\d+ (?:bis \\d+ )?monaten`,
    ),
    notAt: ['problem', 'evidence', 'roadmap', 'team', 'hiring'],
    not: anyOf('learn|training|studie|study|trial starts'),
    figure: anyOf(SPAN, '\\d+ bis \\d+ (?:monaten?|wochen?|tagen?)'),
    figureOnly: true,
  }),
  pricing_strategy: topic({
    at: under(new RegExp(`${PRICE.source}|${PRICE_KIND.source}|${money.source}`, 'giu'), 'pricing', 'model'),
    says: PRICE,
    notAt: [
      'market',
      'problem',
      'today',
      'competition',
      'financials',
      'ask',
      'funds',
      'team',
      'persona',
      'timing',
      'benefit',
      'evidence',
      'economics',
      'traction',
      'hiring',
      'regulatory',
    ],
    not: anyOf(
      'tam|sam|market|addressable|raising|raised|valuation|burn|billions?|bn|mrd|milliarden?|trillion|costs per (?:year|case)|cost per|gross margin|gas price|save[sd]?|saving|per (?:year|annum) (?:in )?(?:lost|damages?)|revenues?|umsatz|grossed|profit|gehalt|lohn|strafe|wast(?:e|ed)|lost|stolen|markt\\p{L}*|cac|ltv|income of|(?:each|per) new \\p{L}+|variable costs?|contributes?|trägt bei|falls? from|fell from',
    ),
    figure: new RegExp(`${money.source}|${percent.source}`, 'giu'),
  }),
  unit_economics: topic({
    at: { economics: ECONOMICS, model: PER_UNIT },
    says: anyOf(
      `cost(?:s|ing)? (?:of |only )?~?${MONEY} per (?:patient|user|customer|unit|student|employee|order|member)`,
      'herstell(?:ungs)?kosten|revenue per (?!year|month|quarter|annum|20)\\p{L}+|cost(?:s)? per (?:acquired|activated|new|signed) \\p{L}+|gross margins?|(?:contribution|unit|profit|operating) margins?|ltv|cac|clv|customer lifetime value|payback(?: period| time)?|unit economics|customer acquisition costs?|cost(?:s)? per (?:unit|customer|patient|report|test|order|delivery|acquisition|user|lead|\\p{L}+ scenario)|(?:revenue|profit|earnings?|arpu|gmv) per (?:unit|customer|user|patient|order|store|hospital|machine|contract|household)|arpu|arpa|cogs|production costs?|profit (?:=|of) ',
      'bruttomarge|rohmarge|deckungsbeitrag|kundenwert|ltv|cac|amortisation\\p{L}*|kosten (?:pro|je) (?:kunde\\p{L}*|fall|einheit|patient\\p{L}*|gerät|neukunde\\p{L}*|stück)|umsatz (?:pro|je) (?:kunde\\p{L}*|nutzer\\p{L}*|einheit|patient\\p{L}*)|stückkosten|herstellungskosten|akquisitionskosten|gewinn (?:pro|je)',
    ),
    notAt: [...OTHER_MONEY, 'ask', 'funds', 'roadmap', 'hiring', 'benefit'],
    not: NOT_OUR_MONEY,
    figure: moneyOrPercent,
    figureOnly: true,
  }),
};
