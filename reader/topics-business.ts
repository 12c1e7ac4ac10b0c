/** Words of the questions on monetization, financials, use of funds and organization. */
import { topic, type Topic } from './topic.ts';
import { anyOf } from './words.ts';

const MODEL_HEADING = anyOf(
  'business model|pricing|price|revenue model|monetization|who pays|how we (?:make money|earn)|unit economics|economics',
  'geschäftsmodell|erlösmodell|preis\\p{L}*|wer zahlt|wie wir geld verdienen|vergütung|erstattung|wirtschaftlichkeit',
);
const FINANCE_HEADING = anyOf(
  'financials?|finances|projections?|forecast|plan|p&l|break-?even|numbers|burn|runway|revenue',
  'finanzen|finanzplan\\p{L}*|finanzzahlen|prognose|planung|gewinn|zahlen|ergebnis|umsatz\\p{L}*|liquidität',
);
const FUNDS_HEADING = anyOf(
  'use of (?:funds|proceeds)|the ask|our ask|ask|raising|funding|financing|investment|invest|allocation|round|what the money|join us',
  'mittelverwendung|kapitalbedarf|finanzierung\\p{L}*|investition\\p{L}*|investieren|runde|angebot|wofür|verwendung',
);
const TEAM_HEADING = anyOf(
  'team|founders?|people|the people|leadership|management|who we are|organi[sz]ation|hiring',
  'team|gründer\\p{L}*|mannschaft|führung\\p{L}*|wer wir sind|organisation|köpfe|menschen|personal|wir stellen ein',
);

/** Twenty questions. */
export const BUSINESS_TOPICS: Readonly<Record<string, Topic>> = {
  payer_identification: topic(
    anyOf(
      'pays?|paid (?:by|for)|payers?|reimburs\\p{L}*|insurers?|insurance|refund\\p{L}*|budget|self-pay|out of pocket|invoiced?|billed|statutory|medicare|employers? pay|covered by|bill goes|money comes|paid for by|who pays',
      'zahlt|zahlen|bezahlt|kostenträger\\p{L}*|krankenkassen?|kassen|erstatt\\p{L}*|gkv|pkv|selbstzahler\\p{L}*|budget|abgerechnet|vergüt\\p{L}*|versicherung\\p{L}*|beihilfe|übernimmt|übernehmen|tragen|zahler|rechnung geht|kosten tragen',
    ),
    {
      weak: anyOf('hospitals?|customers?|carriers?|patients?|klinik\\p{L}*|kunde\\p{L}*|patient\\p{L}*'),
      heading: MODEL_HEADING,
      avoid: anyOf('payback|payments? partner|paying off|not paid|auszahl\\p{L}*'),
    },
  ),
  payer_vs_user: topic(
    anyOf(
      'users? (?:are|is)|pay nothing|for free|free for|users?|who uses|used by|beneficiar\\p{L}*|prescrib\\p{L}*|while the|both (?:sides|carriers|parties)|payer|end users?|who uses|use it|uses it|who pays',
      'nutzer\\p{L}* (?:sind|ist)|nutzen|nutzt|kostenlos|kostenfrei|zahlen nichts|zuzahlung\\p{L}*|verordn\\p{L}*|anwender\\p{L}*|profitier\\p{L}*|beide seiten|während|zahlt|endnutzer\\p{L}*|wer nutzt|nutzer|es nutzen|zahler',
    ),
    {
      weak: anyOf(
        'pays?|patients?|nurses?|drivers?|employees?|zahlt|zahlen|patient\\p{L}*|pflege\\p{L}*|mitarbeit\\p{L}*|ärzt\\p{L}*',
      ),
      heading: MODEL_HEADING,
      avoid: anyOf('users per month|active users|market|growing|aktive nutzer|markt'),
    },
  ),
  decision_making: topic(
    anyOf(
      'decides?|decision(?: makers?)?|chooses?|approv(?:es|al by|ed by)|signs?(?: off)?|procurement|purchasing|buyers?|buying (?:center|committee|process)|tenders?|committee|board (?:approves|decides)|champion|sponsor|vetoe?s?|sign-off|economic buyer|it department|purchase decision|veto|taken by|budget owner',
      'entscheid\\p{L}*|beschaffung|einkauf|einkäufer|genehmig\\p{L}*|freigabe|freigeben|ausschreibung\\p{L}*|gremium|gremien|unterschreibt|chefarzt|chefärzt\\p{L}*|geschäftsführung|verwaltungsleitung|betriebsrat|wählt|it-abteilung|zustimm\\p{L}*|\\p{L}*entscheidung|entscheiden|veto|abteilungsleitung|trifft',
    ),
    {
      weak: anyOf('director|head|manager|owner|leiter\\p{L}*|leitung|inhaber\\p{L}*'),
      heading: anyOf('sales|business model|go.to.market|decision|vertrieb|geschäftsmodell|entscheidung\\p{L}*'),
      avoid: anyOf(
        'must decide|decision support|co-founder|years|therapy|blood|fda|ce|mdr|product owner|signed|gründer|jahre|design|entscheidungsunterstützung|i can decide',
      ),
    },
  ),
  sales_cycle: topic(
    anyOf(
      'sales cycles?|cycle of|time to close|close(?:s|d)? (?:in|within)|from (?:first )?(?:contact|visit|meeting|demo|lead|call) to|lead time|procurement takes|takes (?:\\p{L}+ ){0,3}(?:weeks|months|days)|to (?:first )?(?:order|contract|signature|payment)|deals close|to signature|from first',
      'vertriebszyklus|verkaufszyklus|sales[- ]?cycle|vom erstkontakt|vom ersten (?:gespräch|kontakt|besuch|termin)|bis zum (?:vertrag|abschluss|auftrag)|bis zur (?:unterschrift|bestellung|ersten)|dauert (?:\\p{L}+ ){0,3}(?:wochen|monate|tage)|abschluss (?:in|nach|dauert)|dauer bis|abschlüsse dauern|dauern|bis zur unterschrift|vom erst\\p{L}*',
    ),
    {
      weak: anyOf('weeks|months|days|wochen|monate?n?|tage'),
      heading: anyOf('sales|business model|go.to.market|vertrieb|geschäftsmodell'),
      figure: true,
      avoid: anyOf('trial starts|runway|study|studie|wait(?:s|ing)? (?:nine|for)|recording|report in|life ?cycle'),
    },
  ),
  pricing_strategy: topic(
    anyOf(
      'pric(?:e|es|ed|ing)|[€$£]\\s?\\d[\\d.,]*\\s?(?:k )?(?:per|a|/|each)|per (?:seat|user|month|year|report|patient|unit|test|truck|licen[cs]e|booking|container|transaction|quarter|prescription)|subscriptions?|licen[cs]e fees?|tiers?|freemium|commission|take rate|fee(?:s)?|costs? (?:the )?(?:hospital|customer)s?|packages?|discounts?',
      'preis\\p{L}*|[\\d.,]+\\s?(?:€|euro|eur) (?:pro|je|im|monatlich)|pro (?:nutzer|monat|jahr|patient\\p{L}*|fall|platz|verordnung|rezept|buchung|gerät|lizenz|quartal)|abo\\p{L}*|lizenzgebühr\\p{L}*|lizenz|staffel\\p{L}*|provision|gebühr\\p{L}*|tarif\\p{L}*|paket\\p{L}*|rabatt\\p{L}*|kostet|vergütungsbetrag',
    ),
    {
      weak: anyOf('including|monthly|yearly|annual|inklusive|monatlich|jährlich'),
      heading: MODEL_HEADING,
      figure: true,
      avoid: anyOf(
        'burn|raising|market|tam|health systems?|stroke costs|lose|loses|volkswirtschaft\\p{L}*|markt|kapital|acquisition|committed|sales cycle|preis (?:gewonnen|für innovation)|innovationspreis|gründerpreis',
      ),
    },
  ),
  unit_economics: topic(
    anyOf(
      'gross margin|margins?|ltv|cac|lifetime value|payback|contribution margin|unit economics|acquisition costs?|cost per (?:unit|customer|patient|report|test|order|delivery|acquisition)|revenue per|per customer|per hospital|cost of goods|cogs|unit costs?|production costs?|contributes|contribution|variable costs?|earned back',
      'bruttomarge|rohmarge|marge|margen|deckungsbeitrag|kundenwert|ltv|cac|amortis\\p{L}*|kosten (?:pro|je) (?:kunde\\p{L}*|fall|einheit|patient\\p{L}*|gerät|neukunde\\p{L}*)|umsatz (?:pro|je)|stückkosten|herstell\\p{L}*kosten|akquisekosten|gewinnungskosten|pro kunde|gewinnungskosten|variable\\p{L}* kosten|trägt .* bei|bleiben je kunde|lebenszeitwert',
    ),
    {
      weak: anyOf('margin|cost|revenue|ratio|months|marge|kosten|umsatz|monate'),
      heading: MODEL_HEADING,
      figure: true,
      avoid: anyOf('market|raising|health systems?|markt'),
    },
  ),
  monthly_burn: topic(
    anyOf(
      'burn(?:ing)?(?: rate)?|net burn|monthly (?:costs?|spend(?:ing)?|expenses|loss)|spend(?:s|ing)? [€$£]?[\\d.,]+\\s?k? (?:per|a) month|runway|cash (?:of|at hand|in the bank|position|lasts)|more than we (?:earn|take|make)|(?:each|every|per) month more|monthly net',
      'burn(?:rate)?|mittelabfluss|monatliche\\p{L}* (?:kosten|ausgaben|verlust\\p{L}*|mittelabfluss)|ausgaben (?:pro|im|je) monat|kosten (?:pro|im|je) monat|reichweite|liquidität|kassenbestand|verbrauch\\p{L}*|geben .* (?:pro|im) monat|mehr aus,? als wir|jeden monat|mittelabfluss pro monat',
    ),
    {
      weak: anyOf('per month|month|monthly|today|pro monat|im monat|monatlich\\p{L}*'),
      heading: FINANCE_HEADING,
      figure: true,
      avoid: anyOf(
        'revenue|price|subscription|for (?:the )?whole year|annual|per year|umsatz|preis|abo|burnout|use of funds|calories|this round|with the round|after the round',
      ),
    },
  ),
  monthly_sales: topic(
    anyOf(
      'monthly (?:sales|revenues?|recurring revenue)|mrr|arr|annual recurring revenue|sales (?:reached|of|were)|revenue (?:reached|of|was|in|grew)|revenues? (?:per|a) month|run rate|(?:per|a) month in revenue|in (?:monthly )?revenue|we sold|month on month|monthly',
      'monatliche\\p{L}* (?:umsatz|umsätze|erlöse|einnahmen)|monatsumsatz|monatsumsätze|umsatz (?:pro|im|je|von|lag|liegt|betrug|erreichte|in)|mrr|arr|wiederkehrende\\p{L}* (?:umsatz|umsätze|erlöse)|jahresumsatz|umsätze (?:von|im|pro)|einnahmen (?:von|im|pro)|umgesetzt|wachstum je monat',
    ),
    {
      weak: anyOf('revenue|sales|month|growth|umsatz|monat|wachstum'),
      heading: anyOf(
        'traction|where we stand|momentum|progress|financials?|revenue|sales|growth|traktion|wo wir stehen|finanz\\p{L}*|umsatz|wachstum',
      ),
      figure: true,
      avoid: anyOf(
        'market|tam|cost|head of|sales cycle|raising|target|unit|markt|ziel|kosten pro|sales team|break-?even|use of funds|gross margin|plan(?:ned)?|geplant',
      ),
    },
  ),
  financial_fluctuations: topic(
    anyOf(
      'season(?:al|ality|s)?|fluctuat\\p{L}*|swings?|volatil\\p{L}*|cyclical|one-off|peaks?|slump|dips?|varies|vary|uneven|lumpy|quarter(?:ly)? (?:swings|variation)|summer (?:dip|slump)|delayed payments?|payment terms|weak in|strong in|paid late',
      'saison\\p{L}*|schwank\\p{L}*|volatil\\p{L}*|zyklisch\\p{L}*|einmaleffekt\\p{L}*|einmalig\\p{L}*|sommerloch|spitzen|einbruch|einbrüche|ungleichmäßig\\p{L}*|zahlungsziel\\p{L}*|rückgang im|schwach im|stark im|spät bezahlt',
    ),
    {
      weak: anyOf('revenue|costs?|orders?|umsatz|kosten|aufträge'),
      heading: FINANCE_HEADING,
      avoid: anyOf('mood|heart|rhythm|stimmung|symptom\\p{L}*|pain peaks|blood|hormon\\p{L}*'),
    },
  ),
  annual_burn: topic(
    anyOf(
      '(?:annual|yearly|planned|cumulative) (?:burn|costs?|loss|spend\\p{L}*|expenses)|burn (?:for|in|of) 20\\d\\d|burn .* (?:year|20\\d\\d)|(?:operating|total) costs?|expenses|break-?even|ebitda|net loss|loss of|opex|profitab\\p{L}*|cash used|consume|(?:next|last|coming) (?:twelve months|year)|burn will',
      '(?:jährliche\\p{L}*|geplante\\p{L}*|kumulierte\\p{L}*) (?:kosten|ausgaben|verluste?|burn|mittelbedarf|mittelabfluss)|jahresfehlbetrag|break-?even|ebitda|gewinnschwelle|verlust|betriebskosten|gesamtkosten|profitab\\p{L}*|jahresverlust|burn .*20\\d\\d|mittelabfluss .*20\\d\\d|kostendeckend|schwarze\\p{L}* zahlen|mittelverbrauch|kapitalverbrauch|verbrauchen|(?:nächsten|letzten|kommenden) (?:zwölf monate?n?|jahr)',
    ),
    {
      weak: anyOf('year|20\\d\\d|plan|planned|jahr|geplant'),
      heading: FINANCE_HEADING,
      figure: true,
      avoid: anyOf(
        'per month|monthly|health systems?|market|saves|pro monat|im monat|markt|weight loss|verlust von|lose',
      ),
    },
  ),
  funding_requirements: topic(
    anyOf(
      'raising|raise|seek(?:ing)?|the ask|ask|round|series [a-e]|seed|pre-seed|valuation|pre-money|post-money|equity|convertible|safe|committed|lead investor|runway|tranches?|dilution|funding (?:need|requirement)|grants?|raised|to be raised|current raise|looking for [€$£\\p{Lu}\\d]',
      'kapitalbedarf|finanzierungsbedarf|finanzierungsrunde|suchen|runde|series [a-e]|serie [a-e]|seed|bewertung|pre-money|beteiligung|anteile|wandeldarlehen|zugesagt\\p{L}*|lead-?investor\\p{L}*|reichweite|tranche\\p{L}*|fördermittel|zuschuss|einwerben|benötigen|eingeworben|aufzunehmen|volumen|betrag|investieren',
    ),
    {
      weak: anyOf('investors?|million|mio|terms|investoren|konditionen'),
      heading: FUNDS_HEADING,
      figure: true,
      avoid: anyOf(
        'market|customers|ask(?:ed|s)? (?:for a|in|by)|physicians asked|net promoter|raise awareness|markt|round the clock|wir suchen (?:eine|einen)',
      ),
    },
  ),
  fund_allocation: topic(
    anyOf(
      'use of (?:funds|proceeds)|allocat\\p{L}*|spend(?:ing)? on|goes? (?:to|into)|invest(?:ed)? in|earmarked|will (?:fund|finance|pay for)|budget(?:ed)? for|[€$£][\\d.,]+\\s?[mk]? (?:for|to|into)|money is released',
      'mittelverwendung|fließ\\p{L}* in|verwende\\p{L}*|investier\\p{L}* in|aufteilung|eingesetzt|einsatz der mittel|entfall\\p{L}* auf|finanziert|davon|geld fließt|verwendung',
    ),
    {
      weak: anyOf(
        'product|sales|marketing|development|r&d|team|trial|production|produkt|vertrieb|entwicklung|studie|personal|produktion|zulassung',
      ),
      underHeading: 'figure',
      heading: FUNDS_HEADING,
      figure: true,
      avoid: anyOf(
        'raising|looking for|aufzunehmen|schritten|volumen|committed|of patients|of customers|growth|interest|margin|churn|zinsen|der patient\\p{L}*|der kunden|marge|wachstum',
      ),
    },
  ),
  priority_deficits: topic(
    anyOf(
      '(?:biggest|main|largest|greatest|most (?:urgent|pressing)|first|current|known) (?:gaps?|bottlenecks?|weakness(?:es)?|risks?|shortcomings?|priority|priorities|problem today)|bottlenecks?|weakness(?:es)?|shortcomings?|comes? first|first (?:we|priority|of all)|top priority|priorit\\p{L}*|what (?:is|we are) missing|still (?:missing|lack|need)|we (?:lack|do not yet|cannot yet)|gaps?|not yet|deficit|to fix|slows us|holds us back|most urgent',
      '(?:größte\\p{L}*|wichtigste\\p{L}*|dringendste\\p{L}*) (?:lücke\\p{L}*|engpass|engpässe|schwäche\\p{L}*|risik\\p{L}*|baustelle\\p{L}*|defizit\\p{L}*)|engpass|engpässe|schwäche\\p{L}*|schwachstelle\\p{L}*|defizit\\p{L}*|zuerst|vorrang|priorität\\p{L}*|noch (?:fehlt|fehlen|nicht)|uns fehlt|uns fehlen|lücken?|baustelle\\p{L}*|an erster stelle|zu beheben|bremst|dringendste\\p{L}*|lücke',
    ),
    {
      weak: anyOf('today|because|so that|then|production|sales|heute|damit|dann|danach'),
      heading: anyOf(
        'use of funds|ask|risks?|challenges?|priorities|what.s next|mittelverwendung|kapitalbedarf|risiken|prioritäten|herausforderungen|finanzierung',
      ),
      avoid: anyOf('patients?|care gap|market gap|competitors?|versorgungslücke|marktlücke|wettbewerber'),
    },
  ),
  investment_strategy: topic(
    anyOf(
      'so that|in order to|first .* then|then|milestones?|by (?:the )?(?:q[1-4]|end of|mid|20\\d\\d)|phase \\d|step by step|strategy|tranches?|unlock\\p{L}*|leads? to|enabl\\p{L}* (?:us|the)|focus(?:es)? on|if (?:less|only|the)|before (?:we|the)|months? to|after that|comes first|released in|until the|step',
      'damit|zuerst|zunächst|danach|anschließend|dann|meilenstein\\p{L}*|bis (?:q[1-4]|ende|mitte|20\\d\\d)|phase \\d|schrittweise|strategie|tranche\\p{L}*|führt zu|konzentrieren|fokus\\p{L}*|falls|bevor|im ersten schritt|ermöglicht uns|fließt in|schritten|nach der|zuerst investieren',
    ),
    {
      weak: anyOf(
        'sales|product|trial|launch|hire|production|vertrieb|produkt|studie|markteintritt|einstell\\p{L}*|produktion|\\d+\\s?%',
      ),
      heading: anyOf(
        'use of (?:funds|proceeds)|ask|raising|funding|investment|round|mittelverwendung|kapitalbedarf|finanzierung\\p{L}*|wofür|runde|roadmap|milestones|meilensteine',
      ),
      avoid: anyOf('patients?|founded|gegründet|patient\\p{L}*'),
    },
  ),
  future_state: topic(
    anyOf(
      '(?:by|in|until|end of) (?:q[1-4] |the end of |mid-?)?20(?:2[6-9]|3\\d)|in (?:two|three|five|ten|\\d+) years|vision|goal|will (?:be|have|serve|reach|become)|roadmap|targets?|aim(?:s)? (?:to|for)|ready for|series [b-d]|break-?even|next round|exit|ambition|standard',
      '(?:bis|ende|in|ab|im jahr) (?:q[1-4] |ende |mitte )?20(?:2[6-9]|3\\d)|in (?:zwei|drei|fünf|zehn|\\d+) jahren|vision|ziele?|werden (?:wir|sein|haben)|wird|roadmap|fahrplan|erreichen|break-?even|gewinnschwelle|nächste\\p{L}* runde|exit|series [b-d]|standard',
    ),
    {
      weak: anyOf(
        'customers?|hospitals?|countries|revenue|launch|approval|kunden|kliniken|länder|umsatz|zulassung|markteintritt',
      ),
      heading: anyOf(
        'roadmap|vision|milestones|next|future|plan|where we|goals?|meilensteine|fahrplan|ausblick|zukunft|ziele|was kommt|nächste schritte',
      ),
      avoid: anyOf(
        'market (?:grows|will|size)|founded|tam|sam|som|gegründet|markt wächst|source\\p{L}*|hiring|before summer',
      ),
    },
  ),
  team_experience: topic(
    anyOf(
      'years? (?:at|of|in|on|as|selling|with|building|running)|(?:\\p{L}+ )?years (?:\\p{L}+ ){0,3}(?:experience|selling|running|building)|formerly|previously (?:at|built|led|founded)|ex-\\p{L}+|led|built|founded|sold (?:her|his|a|the)|exit(?:ed)?|phd|professor|prof|mba|serial|experience|papers|neurologist|physician|surgeon|cardiologist|engineer|scaled|background|worked (?:at|for)|managed',
      'jahre\\p{L}* (?:bei|in|als|erfahrung|im|an|am)|erfahrung\\p{L}*|zuvor|vorher|ehemalige\\p{L}*|ehem\\.|leitete|baute|gründete|verkaufte|promoviert\\p{L}*|promotion|professor\\p{L}*|prof|serien\\p{L}*|fachärzt\\p{L}*|ingenieur\\p{L}*|studium|veröffentlich\\p{L}*|führte|arbeitete|forschte|war',
    ),
    {
      weak: anyOf('ceo|cto|coo|cfo|cmo|head|founder|co-founder|gründer\\p{L}*|leiter\\p{L}*|geschäftsführer\\p{L}*|dr'),
      heading: TEAM_HEADING,
      avoid: anyOf(
        'patients?|market|hiring|company founded|spin-?off|raising|market grows|founded (?:in|as)|gegründet (?:in|als|20)',
      ),
    },
  ),
  organizational_maturity: topic(
    anyOf(
      'employees|staff of|full-time|ftes?|team of \\d+|\\d+ (?:people|employees|fte|team members|staff)|founded (?:in|as)?|incorporated|spin-?off|advisory board|advisers?|advisors?|board|iso \\d+|soc 2|quality (?:management|system)|okrs?|quarterly goals|certified|processes|offices? in|gdpr|documented processes|goals|reporting|share plan|data protection officer',
      'mitarbeit\\p{L}*|beschäftigte|vollzeit\\p{L}*|\\d+ (?:personen|köpfe|leute)|team von \\d+|gegründet|gründung|ausgründung|beirat|aufsichtsrat|berater\\p{L}*|iso \\d+|qualitätsmanagement\\p{L}*|zertifiziert\\p{L}*|prozesse|standort\\p{L}*|quartalsziele|dsgvo|gmbh seit|dokumentierte|quartalsziele|berichte|abschlüsse|datenschutzbeauftragte\\p{L}*|eingeführt',
    ),
    {
      weak: anyOf('gmbh|inc|ltd|year|since|seit|jahr'),
      heading: anyOf(
        'team|organi[sz]ation|company|about|roadmap|unternehmen|organisation|über uns|milestones|meilensteine',
      ),
      avoid: anyOf(
        'customers?|patients?|hospitals with|target|raising|kund\\p{L}*|patient\\p{L}*|employees (?:of|at) customers|on board|onboard\\p{L}*|board the|per employee|pro mitarbeit\\p{L}*',
      ),
    },
  ),
  team_composition: topic(
    anyOf(
      'ceo|cto|coo|cfo|cmo|cpo|cso|chief \\p{L}+ officer|co-?founders?|founders?|head of \\p{L}+|vp \\p{L}+|employees|engineers|developers|\\d+ in (?:development|sales|clinical|production|operations|engineering|product|service)|full-time|part-time|team of',
      'ceo|cto|coo|cfo|cmo|geschäftsführ\\p{L}*|(?:mit)?gründer\\p{L}*|leiter\\p{L}*|leitung|mitarbeit\\p{L}*|entwickler\\p{L}*|\\d+ in (?:der )?(?:entwicklung|vertrieb|klinik|produktion)|vollzeit|teilzeit|team von|im team',
    ),
    {
      weak: anyOf('sales|product|technology|clinical|operations|vertrieb|produkt|technik|medizin\\p{L}*|finanzen'),
      heading: TEAM_HEADING,
      avoid: anyOf('customers|quote|contact|e-?mail|hiring|hires?|urgent|fehlt|brauchen|missing|kunden'),
    },
  ),
  skill_gaps: topic(
    anyOf(
      'skills? gaps?|missing (?:skills?|in the team|expertise|know-how)|we (?:lack|are missing|have no|do not have)|team lacks|no (?:one|dedicated|full-time|in-house) (?:\\p{L}+ ){0,3}(?:on the team|yet|in the team|lead|officer|expert\\p{L}*|manager)|not yet (?:on|in) (?:the )?team|gap in (?:the|our) team|until then|interim|fractional|bridged?|experience (?:is )?missing|what (?:the team|we) (?:lacks?|miss)|no \\p{L}+ lead|by the hour|missing on the team|someone who',
      'fehlende\\p{L}* (?:kompetenz\\p{L}*|erfahrung|know-how|kenntnisse|fähigkeit\\p{L}*)|uns fehlt|uns fehlen|im team (?:fehlt|fehlen)|fehlt (?:uns|im team|noch)|fehlen (?:uns|im team|noch)|kompetenzlücke\\p{L}*|lücke\\p{L}* im team|noch (?:keine\\p{L}*|nicht besetzt)|unbesetzt|interim\\p{L}*|überbrück\\p{L}*|was im team fehlt|fehlt erfahrung|jemand,? der',
    ),
    {
      weak: anyOf('team|hire|expert\\p{L}*|advisor|sales|regulatory|beirat|vertrieb|einstell\\p{L}*'),
      heading: TEAM_HEADING,
      avoid: anyOf(
        'patients?|customers?|competitors?|market|patient\\p{L}*|kund\\p{L}*|markt|wettbewerb\\p{L}*|hospital\\p{L}*|carrier\\p{L}*',
      ),
    },
  ),
  urgent_hiring: topic(
    anyOf(
      'hir(?:e|es|ing|ed next)|recruit(?:ing|s)?|open (?:positions?|roles?)|vacanc(?:y|ies)|looking for an? (?:\\p{L}+ ){0,3}(?:manager|engineer|head|lead|developer|officer|director|cfo|cto)|next hires?|key hires?|to be hired|join(?:s|ing) (?:us )?in|positions? to fill|we need an? \\p{L}+ (?:manager|lead|head|engineer|officer)|next to hire|urgent hires?|within \\p{L}+ months',
      'einstell\\p{L}*|neueinstellung\\p{L}*|stellen ein|offene\\p{L}* (?:stelle\\p{L}*|position\\p{L}*)|besetzen|zu besetzen|rekrutier\\p{L}*|wir suchen (?:eine?n?|dringend|noch|derzeit)|gesucht (?:wird|werden)|nächste\\p{L}* (?:einstellung\\p{L}*|position\\p{L}*)|verstärk\\p{L}* (?:das|unser) team|suchen wir (?:eine?n?|dringend)|brauchen wir|dringend|sofort zu besetzen|sofort gesucht',
    ),
    {
      weak: anyOf('manager|engineer|head|sales|now|before|leiter\\p{L}*|ingenieur\\p{L}*|sofort|dringend|bis'),
      heading: TEAM_HEADING,
      avoid: anyOf('patients?|investors?|raising|round|kapital|investor\\p{L}*|runde|mio|hiring costs of'),
    },
  ),
};
