/** Cues of the questions on the use of funds and the plans. */
import { anyFigure, MONEY, moneyOrPercent, SPAN, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';

const PURPOSE =
  'product(?: development)?|development|r ?& ?d|research|sales|marketing|hiring|team|staff|salaries|personnel|operations|working capital|legal|administration|admin|technology|tech|infrastructure|inventory|production|manufacturing|expansion|trials?|stud(?:y|ies)|regulatory|certification|approval|mvp|launch|pilot|compliance|hardware|pr|business development|(?:customer|user) acquisition|content|partnerships|equipment|office|contingency|ip|' +
  'produkt\\p{L}*|entwicklung|forschung|vertrieb|marketing|personal\\p{L}*|team|betrieb|verwaltung|technologie|technik|infrastruktur|produktion|expansion|studien?|zulassung|zertifizierung|recht|markteintritt|ausstattung|maschinen|rücklage|aufbau';
const PURPOSES = anyOf(PURPOSE);
/** Two purposes side by side, or one that leads: "Product development: …". */
const LISTED_PURPOSE = new RegExp(
  `(?<!\\p{L})(?:${PURPOSE})(?!\\p{L})[^.;]{0,40}(?<!\\p{L})(?:${PURPOSE})(?!\\p{L})|^(?:[\\p{L}&+-]+ ){0,4}(?:${PURPOSE})(?:[ &,]+[\\p{L}]+){0,2}\\s?[:–—]`,
  'giu',
);

/** A purpose with its share. */
const SHARE_OF_PURPOSE = `(?<!\\p{L})(?:${PURPOSE})(?!\\p{L})[^%.;\\d]{0,40}\\d{1,3}\\s?%|\\d{1,3}\\s?%[^%.;\\d]{0,40}(?<!\\p{L})(?:${PURPOSE})(?!\\p{L})`;
/** Three shares or more, each with what it goes to: "50 % product, 30 % sales, 20 % operations". */
const SHARES = String.raw`(?:\d{1,3}\s?%\P{L}{0,3}\p{L}[^%]{2,40}){2,}\d{1,3}\s?%`;

/** An item with its amount, in thousands as a rule: "2nd dryer – 180k", "Cameras 600 · People 650". */
const ITEM_AMOUNT = String.raw`\p{L}[^\d–·]{2,60}(?:[–:-]\s?)${MONEY}|[–-]\s?\d+\s?k(?!\p{L})|^\p{L}.{3,60}\s\d{1,3}(?:[.,]\d{3})+$|^[\d.,]+ .{3,40}\s\d{1,3}(?:[.,]\d{3})+$|(?:\p{L}{3,} \d{2,4}(?: ·|,| [&+])\s?){2}|^\d+ (?:\p{L}+ ){0,2}(?:engineers?|developers?|hires?|sales\p{L}*|people)`;

/** A task on a slide that asks for money: "Native app: finishing …", "Launch in two cities". */
const TASK =
  /^[\p{L}\d&+ -]{3,50}: \p{Lu}\p{Ll}+ing(?!\p{L})|^(?:to )?(?:do|open|certify|build|launch|hire|expand|develop|scale|grow|finish|complete|finali[sz]e|enter)(?: the| our| an?)? \p{L}/giu;

/** What a company will be. A mission says what it does for others, and not where it will stand. */
const BECOMING = anyOf(
  '(?:we|it|company) will|becom(?:e|ing)|be the (?:first|leading|largest|world)|(?:by|until) (?:the end of )?20\\d\\d|in \\d+ years|leading|largest|number one|go-to',
  'wir werden|wollen wir|bis (?:ende )?20\\d\\d|in \\d+ jahren|führend\\p{L}*|größte\\p{L}*|marktführer',
);

/** What is to be reached with the money. */
const GOAL = anyOf(
  'to reach|\\d+.month target|target(?=: )|goals?(?=: )|by the end|we will (?:have|be|reach)|(?:in|by|within) month \\d+|within \\d+ months|will get us to|gets us|goal|months after|(?:cash|cash.?flow|contribution) positive|profitab\\p{L}+|to cover \\d|to get to \\d|at the end(?=:)|then \\d+|break.?even|by (?:christmas|summer|autumn|spring|(?:end|mid|early|late) 20\\d\\d|20\\d\\d|january|march|june|september|december)|sold by|= series [a-d]',
  'ziele?(?=: )|um .{3,60} zu erreichen|bis dahin|wir werden|in monat \\d+|innerhalb von \\d+ monaten|kostendeckend|bis (?:ende|mitte|anfang) 20\\d\\d|dann \\d+',
);
/** The head of a column that is planned: "2027E", "FY28P". */
const PLANNED = anyOf('(?:fy ?)?(?:20)?\\d\\d ?[epf]');

export const FUNDS_TOPICS: Readonly<Record<string, Topic>> = {
  fund_allocation: topic({
    at: {
      funds: new RegExp(`${PURPOSES.source}|${moneyOrPercent.source}|${TASK.source}`, 'giu'),
      ask: new RegExp(`${LISTED_PURPOSE.source}|${TASK.source}|${SHARES}|${ITEM_AMOUNT}|${SHARE_OF_PURPOSE}`, 'giu'),
    },
    says: anyOf(
      `(?:funds|funding|money|capital|proceeds|investment|round) (?:will be |is |are )?(?:used|allocated|spent|invested|go(?:es)?) (?:for|to|on|in|into)|will (?:fund|finance)|to (?:fund|finance) (?:the )?(?:product|development|launch|expansion|marketing|hiring|trial|growth)|seeking funding to|(?:require|need|needs|seek|seeking|raise|raising) (?:\\p{L}+ ){0,3}${MONEY} (?:\\p{L}+ )?to \\p{L}+`,
      '(?:mittel|kapital|geld|investition|finanzierung)\\p{L}* (?:fließ\\p{L}*|wird|werden|dien\\p{L}*) (?:\\p{L}+ ){0,4}(?:für|in|eingesetzt|verwendet)|eingesetzt für|verwendet für|fließ(?:t|en) in',
    ),
    notAt: [
      'market',
      'problem',
      'team',
      'today',
      'competition',
      'persona',
      'pricing',
      'financials',
      'solution',
      'evidence',
      'traction',
    ],
    not: anyOf(
      'total (?:round|raise|ask|funding)|gesamtvolumen|after the pilot|nach dem pilot\\p{L}*|in (?:two|three|zwei|drei) (?:steps|schritten)|on signing|at closing|first close|tranches?|bei abschluss|grants? (?:from|by)|chips act|market|vesting|cliff|linear|tokens?',
    ),
    figure: moneyOrPercent,
  }),
  priority_deficits: topic({
    at: under('any', 'risks'),
    says: anyOf(
      '(?:biggest|main|largest|greatest|current|key|our) (?:bottlenecks?|weakness(?:es)?|gaps?|shortcomings?|risks?|challenges?|hurdles?|limitations?)|(?:our|first|top|immediate|next|highest) priorit(?:y|ies)|what (?:is|we are|we.re) (?:still )?missing|we (?:still )?(?:lack|miss)|still (?:missing|lacking|needed)|(?:not|yet) (?:yet )?(?:fully )?(?:built|ready|validated|certified)|needs? (?:improvement|to be improved)|improvements?|we.re looking for (?:\\p{L}+ ){0,4}(?:support|help|partners)|known (?:issues?|limitations?)',
      '(?:holds?|holding) us back|slow(?:s|ing) us down|limiting factors?|(?:biggest|largest) hole|goes first|(?:so|therefore) first|(?:urgent|pressing|critical) (?:gaps?|deficits?|weakness(?:es)?|shortcomings?)|(?:gaps?|deficits?|weakness(?:es)?|shortcomings?) to (?:close|fix|address|resolve)|first (?:gap|deficit|weakness)|to (?:be )?fix(?:ed)? first',
      '(?:größte|wichtigste|aktuelle|unsere)[nr]? (?:engpässe?|engpass|schwächen?|lücken?|risiken|risiko|herausforderung(?:en)?|hürden?)|priorität(?:en)?|uns fehlt|uns fehlen|noch (?:fehlt|fehlen|nicht)|verbesserungsbedarf|was (?:uns )?(?:noch )?fehlt|wir brauchen (?:noch|unterstützung|hilfe)|(?:uns bremst|bremst uns|deshalb zuerst|hält uns (?:zurück|auf))|(?:dringendste|dringlichste)[nr]? (?:lücken?|schwächen?|defizite?|baustellen?)|(?:lücken?|defizite?|schwächen?) (?:zu )?(?:schließen|beheben)|(?:zuerst|zunächst|dringend) zu (?:beheben|schließen|lösen)|defizite?',
    ),
    notAt: [
      'problem',
      'market',
      'today',
      'competition',
      'persona',
      'solution',
      'benefit',
      'advantage',
      'voices',
      'timing',
      'evidence',
      'customers',
      'model',
      'pricing',
      'sales',
      'team',
    ],
    not: anyOf(
      'lack(?:s|ing)? (?:\\p{L}+ )?(?:experience|expertise|skills?)|fehl(?:t|en) (?:uns )?(?:\\p{L}+ )?(?:erfahrung|kenntnisse|know-how|kompetenz\\p{L}*)',
      'customers?.? challenges|industry.s|patients?|gyms face|improvements? (?:in|of)|data improvements|kunden',
    ),
  }),
  investment_strategy: topic({
    at: under(
      anyOf(
        'by the end|we will (?:have|be|reach)|goals?(?=: )|so that|in order to|milestones?|to (?:reach|launch|prove|scale|achieve|hit|expand|build|support|complete|get|enter|secure|grow|accelerate)|will (?:enable|allow|support|help|prove)|first(?! (?:tranche|close|step))|then|by (?:q[1-4]|end of|20\\d\\d)|proves?|phase|until|(?:build|secure|expand|launch|hire|validate|scale|commerciali[sz]e)',
        'damit|ziele?(?=: )|um .{3,60} zu|meilenstein\\p{L}*|bis (?:q[1-4]|ende|20\\d\\d)|zuerst|zunächst|danach|anschließend|phase|ermöglich\\p{L}*|aufbau|skalier\\p{L}*|markteintritt',
      ),
      'funds',
      'ask',
    ),
    says: anyOf(
      `(?:investment|funding|funds|capital|round|raise|money) (?:\\p{L}+ ){0,4}(?:to reach|to achieve|will enable|allows? us|unlocks?|gets? us|needed to|enables us|carries us)|(?:reach|hit|achieve) (?:\\p{L}+ ){0,3}milestones|milestones (?:in|within|over) the next|(?:in|of) (?:two|three|\\d) tranches|runway (?:of|to) ${SPAN}`,
      '(?:mittel|kapital|investition|finanzierung|runde)\\p{L}* (?:\\p{L}+ ){0,4}(?:ermöglich\\p{L}*|um .{3,40} zu erreichen|bis)|meilensteine erreichen|in tranchen',
    ),
    notAt: [
      'market',
      'problem',
      'team',
      'today',
      'competition',
      'persona',
      'pricing',
      'solution',
      'evidence',
      'sales',
      'model',
      'traction',
    ],
    not: new RegExp(
      `${anyOf('burn|suche(?=: )|lead investor|bank account|we spend|committed|soft.?circled|verbrauch|reicht \\d+|mentorship|public.facing deck|terms of the investment|reach out|contact').source}|\\d[\\d.,]+\\s+\\d+\\s?%$`,
      'giu',
    ),
    figure: anyFigure,
  }),
  future_state: topic({
    at: { roadmap: 'any', vision: BECOMING, ask: GOAL, funds: GOAL, financials: PLANNED },
    says: anyOf(
      '(?:by|until|end of|before) (?:the end of |mid-?|q[1-4] ?)?20(?:2[4-9]|3\\d)|in (?:the next )?(?:\\d+|two|three|five|ten|twelve) (?:months|years)|over the next \\d+ (?:months|years)|(?:our|the) (?:vision|goal|ambition|target)(?: is|(?=: ))|by the end of (?:this|the) (?:plan|period|round|year)|we (?:will|aim to|want to|plan to) (?:be|become|have|reach|serve|expand|launch|gain|capture)|target market share',
      '(?:bis|ende|ab) (?:q[1-4] |ende |mitte )?20(?:2[4-9]|3\\d)|in (?:den nächsten )?(?:\\d+|zwei|drei|fünf|zehn) (?:monaten|jahren)|unser(?:e)? (?:vision|ziel)(?: ist|(?=: ))|am ende des (?:plans|zeitraums|jahres)|wir (?:werden|wollen) (?:\\p{L}+ ){0,6}(?:erreichen|sein|werden|expandieren|haben)',
    ),
    notAt: [
      'market',
      'problem',
      'team',
      'today',
      'competition',
      'persona',
      'timing',
      'evidence',
      'hiring',
      'customers',
      'voices',
      'regulatory',
      'solution',
      'pricing',
      'legal',
      'benefit',
    ],
    not: anyOf(
      '(?:market|industry|sector|economy) (?:grows|will|size|is|could)|valued at|cagr|projected shortage|wastes?|founded|was|were|(?:has|have) (?:been|grown|doubled|tripled|lost)|grew|lost|trailing|wurden?|gegründet|timeline|exclusive\\p{L}*|patents?|licen[cs]es?|expir\\p{L}*|supply (?:of|until)',
    ),
    figure: new RegExp(`${anyFigure.source}|(?<!\\d)20\\d\\d(?!\\d)`, 'giu'),
  }),
};
