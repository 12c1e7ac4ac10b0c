/** Words by which the amount that a deck asks for is told from others, in English and German. */

/** Words of asking now. */
export const ASKS =
  /(?<![\p{L}\p{N}])(?:(?:now |currently )?(?<!, )raising|(?:we|which) requires?|requesting|fund(?:ing|raise|raising)?(?=\s*:)|raise(?=\s*:)|needs?|to be raised|needed|join our|(?:this|current|our|open) (?:\p{L}+ )?raise|we raise|(?:to|will|want to) raise|seek(?:s|ing)?|looking (?:for|to (?:raise|secure))|asking for|(?:the|our) ask|ask(?=\s*[:–-])|funding (?:need(?:ed|s)?|requirements?|ask|sought|target|goal)|(?:capital|investment) (?:need(?:ed|s)?|requirements?|ask|sought|required|target)|(?:round|raise) (?:size|target|volume)|target (?:round|raise|volume)|(?:this|current|open|new) (?:financing |funding |investment )?round|we (?:need|are opening)|opening (?:a|an|our)|invest(?:ment)? opportunity)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:kapitalbedarf|finanzierungsbedarf|finanzbedarf|investitionsbedarf|kapitalsuche|gesuchtes? (?:kapital|investment|volumen)|gesucht(?:e)?|(?:wir )?suchen|(?:wir )?benötigen|(?:wir )?brauchen|einwerben|einsammeln|aufnehmen|sammeln|werben|zielvolumen|zielbetrag|rundengröße|rundenvolumen|volumen der runde|aufzunehmen|einzuwerben|unsere? (?:angebot|anfrage|bitte)|(?:diese|aktuelle|laufende|neue) (?:finanzierungs)?runde|nehmen\b.{0,60}\bauf\b|holen\b.{0,40}\ban bord)(?![\p{L}\p{N}])/giu;
/** Words of asking in other languages, which often stand alone over the amount. */
export const ASKS_ELSEWHERE =
  /(?<![\p{L}\p{N}])(?:szukamy|poszukujemy|buscamos|buscando|solicitamos|procuramos|captando|recherchons|cherchons|levons|cerchiamo)(?![\p{L}\p{N}])/giu;
/** Names of a round: ask only where nothing says that it is over. */
export const ROUND =
  /(?<![\p{L}\p{N}])(?:pre-?seed|seed|series [a-e]|serie [a-e]|bridge|angel|growth|wachstums)[- ]?(?:extension[- ]?|plus[- ]?)?(?:round|financing|funding|runde|finanzierung(?:srunde)?|raise|investment)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:finanzierungsrunde|round|runde|bridge|convertible(?: note| loan)?|wandeldarlehen)(?![\p{L}\p{N}])/giu;
/** Words of money that came earlier or is only promised. */
export const EARLIER =
  /(?<![\p{L}\p{N}])(?:(?<!\bbe )raised|closed|received|secured|previous(?:ly)?|earlier|prior|last round|to date|so far|already|backed|committed|commitments?|pledged|soft[- ]circled|bootstrapped|grants?|awarded|invested|bisher\p{L}*|bereits|erhalten|eingeworben|eingesammelt|abgeschlossen\p{L}*|letzte\p{L}*|vorherige\p{L}*|frühere\p{L}*|zugesagt\p{L}*|zusagen?|investiert|gefördert|förder\p{L}+|zuschuss|zuschüsse|stipendium|eigenmittel|aufgenommen|flossen|gründer\p{L}*darlehen|erste runde|first round)(?![\p{L}\p{N}])/giu;
/** Words of money that is no funding at all. */
export const OTHER =
  /(?<![\p{L}\p{N}])(?:revenues?|turnover|sales|arr|mrr|bookings|pipeline|tam|sam|som|market|valuation|pre-?money|post-?money|valued|burn|cash|costs?|price|pricing|fee|fees|salary|savings?|saves?|profit|margin|ebitda|ebit|exit|acquired|acquisition|ltv|cac|per|each|monthly|annually|yearly|budget|contract|orders?|damages?|losses|loses?|spend(?:s|ing)?|fines?|competitors?|umsatz|umsätze|erlöse?|markt\p{L}*|bewertung|kosten|kostet|preis\p{L}*|gebühr\p{L}*|pro|je|monatlich\p{L}*|jährlich\p{L}*|gewinn|marge|einsparung\p{L}*|spart|sparen|ersparnis|auftrag\p{L}*|aufträge|vertrag\p{L}*|verlust\p{L}*|schäden|schaden|volkswirtschaft\p{L}*|ausgaben|kasse|liquidität|guthaben|konto|listenpreis|lizenz\p{L}*|wettbewerber\p{L}*|verkauft|übernahme)(?![\p{L}\p{N}])/giu;
export const ASK_HEADING =
  /(?<![\p{L}\p{N}])(?:ask|need|brauchen|benötigen|suchen|looking for|raising|raise|seeking|funding|financing|investment|invest|round|kapitalbedarf|finanzierungsbedarf|finanzierung\p{L}*|investment|kapital\p{L}*|runde|angebot|series [a-e]|seed|join us|partner with us|einsteigen|beteilig\p{L}*|investier\p{L}*|deal terms|fundraise|fundraising|fund ?raising|raise|inwestycyj\p{L}*|inversión|investimento|investissement|levée|rodada|ronda)(?![\p{L}\p{N}])|(?:→|->) ?\d+ (?:months|monate)(?!\p{L})/iu;
export const NO_ASK_HEADING =
  /(?<![\p{L}\p{N}])(?:history|so far|to date|traction|financials?|market|milestones|track record|bisher\p{L}*|historie|markt|finanzzahlen|finanzplan\p{L}*|kennzahlen|case|model|modell)(?![\p{L}\p{N}])/iu;
/** All that may stand beside an amount that is the ask. */
export const LABELS =
  /^[\s:–—|·•,.-]*(?:(?:total|gesamt|amount|betrag|volumen|volume|round|runde|ask|target|ziel|now|jetzt|pre-?seed|seed|series [a-e]|serie [a-e]|investment|kapital|funding|finanzierung|summe|raise|current|our|this|diese\p{L}*|unsere\p{L}*|equity|eigenkapital|required|needed|sought|benötigt|gesucht|in|of|von|über)[\s:–—|·•,.-]*)*$/iu;
/** Labels that ask by themselves. */
export const ASK_LABEL =
  /^is (?:what|all|the amount) (?:that )?we (?:need|ask|seek|raise|want|are (?:raising|seeking))(?!\p{L})|^[\s:–—-]*(?:(?:the|our|current|total|target|minimum|seed|pre-?seed|equity|series [a-e]|unsere?|aktuelle?|gesamt) ?)*(?:ask|raise|raising|amount (?:raising|sought)|funding(?: (?:goal|target|amount|round))?|fund ?raise|round(?: size)?|seeking|investment (?:sought|ask|amount|size)|we (?:ask|seek|need|want)|kapitalbedarf|investitionssumme|finanzierungsrunde|gesucht|wir suchen|zielsumme)[\s:–—-]*$/iu;
/** Before a word of asking: then it names a round that is over, "Previous funding: …". */
export const OVER =
  /(?<!\p{L})(?:previous|prior|earlier|past|last|former|existing|bisherige\p{L}*|frühere\p{L}*|vorherige\p{L}*|vorige\p{L}*|vorangegangene\p{L}*|letzte\p{L}*|erhaltene\p{L}*)[\s-](?:[\p{L}-]+\s){0,2}$/iu;
const STEP =
  '(?:first|second|third|1st|2nd|3rd|initial|erste[rn]?|zweite[rn]?|dritte[rn]?) (?:tranche|closing|close|instal?lment|part|step|teil|schritt)|tranche';
/** Before a share of the whole. */
export const PART_BEFORE = new RegExp(
  `(?<!\\p{L})(?:additional|further|another|of which|including|weitere|zusätzlich\\p{L}*|davon|${STEP})(?!\\p{L})`,
  'iu',
);
/** After a share of the whole. */
export const PART_AFTER = new RegExp(
  `^[\\s(]*(?:as |in |for |als |in |für )?(?:a |the |an |die |der )?(?:${STEP})(?!\\p{L})`,
  'iu',
);
/** At the end of a line that goes on in the next. */
export const GOES_ON =
  /(?:[:,–-]|(?<!\p{L})(?:a|an|the|of|at|for|up to|to|over|about|around|our|raising|seeking|über|von|rund|etwa|ca\.|bis|zu|in höhe von|suchen|benötigen))$/iu;
export const NEED = /(?<!\p{L})need(?:s|ed)?(?!\p{L})/iu;
export const CAPITAL = /(?<!\p{L})(?:fund|capital|invest|money|financ|amount)/iu;
/** A sentence that seeks money, whatever the slide is called. */
export const SEEKS_MONEY =
  /(?<!\p{L})(?:looking for|seek(?:s|ing)?|rais(?:e|ing)|need(?:s|ed)?|requir(?:e|es|ing)|ask(?:ing)? for|suchen|benötigen|brauchen|einwerben|aufnehmen)(?!\p{L})(?:[^.!?]{0,40}[^.!?\p{L}])?(?:financing|funding|investments?|capital|finanzierung|kapital|investition|investoren|investors)(?!\p{L})/iu;
/** The name of a round and nothing else. */
export const ROUND_LABEL =
  /^[\s:–—|·•,-]*(?:pre-?seed|seed|angel|bridge|series [a-e]|serie [a-e])(?:[\s-]+(?:extension|plus|round|financing|funding|raise|investment|runde|finanzierung(?:srunde)?))*[\s:–—|·•,-]*$/iu;
/** The label of a sum, alone. */
export const TOTAL_LABEL =
  /^[\s:–—|·•,-]*(?:(?:grand )?total|sum|gesamt(?:summe|betrag|bedarf)?|summe|insgesamt)(?: (?:required|needed|amount|budget|funding|funds|sought|ask|investment|kapitalbedarf))*[\s:–—|·•,-]*$/iu;
export const USE_OF_FUNDS =
  /use of (?:the )?(?:funds|funding|proceeds|capital|investment)|mittelverwendung|verwendung der mittel|kapitalverwendung/iu;
