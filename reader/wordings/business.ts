/** Words by which slides on the business, the round, the team and the frame of a deck are known. */
import type { Subject, Wording } from '../subject.ts';
import { MONEY } from '../topic.ts';
import { anyOf } from '../words.ts';

export const BUSINESS_WORDINGS = {
  model: {
    label: anyOf(
      'how (?:do|does|will|can) .{2,20} (?:make|earn) .{0,10}|business (?:model|plan|case)|(?:revenue|operating) (?:model|streams?|engines?)|monetization|monetisation|how we (?:make money|earn)|revenue (?:sources?|logic)|who pays|commercial model|distribution paths?|go-to-market and revenue|\\p{L}+.as.a.service|razor and blades?|freemium|how (?:do )?we (?:eat|live|get paid)',
      'geschäftsmodell|businessmodell|erlösmodell|ertragsmodell|umsatzmodell|erlösquellen|einnahmequellen|monetarisierung|businessplan|wie (?:wir|verdien\\p{L}+) .{0,20}geld.{0,12}|wer (?:zahlt|verdient).{0,12}|vergütung|erstattung',
    ),
    statement: anyOf(
      'we (?:earn|charge)|wir verdienen|revenue (?:engines?|streams?|models?)|make money|monetiz\\p{L}*|erlösquellen|geld verdienen',
    ),
  },
  pricing: {
    label: anyOf(
      'pric(?:es?|ing)(?: (?:model|strategy|plans?|tiers?|table))?s?|plans|(?:franchise )?packages?|menu|price ?list|subscriptions?|tariffs?|fees?|premium (?:monthly|yearly)',
      'preise?|preismodelle?|preisgestaltung|preisliste|tarife?|pakete?|speisekarte|abos?|abonnements?|gebühren|kosten für kunden',
    ),
  },
  economics: {
    label: anyOf(
      'unit economics|economics|(?:gross|contribution) margins?|cost structure|ltv.{0,5}cac|money per \\p{L}+',
      'unit economics|deckungsbeitrag|margen?|stückkosten|kostenstruktur|wirtschaftlichkeit',
    ),
  },
  traction: {
    label: anyOf(
      'traction|(?:our |key )?(?:progress|achievements?|successes|momentum)|where we (?:are|stand)|(?:key )?(?:metrics|kpis)|(?:key )?performance indicators|growth|track record|so far|to date|what we.ve (?:done|built|achieved)|current status|status|what we (?:already )?have|where (?:you|to) (?:can )?(?:find|get|buy) us|our (?:sites|locations|stores)|people (?:run|use|buy) it|(?:is|does) any(?:body|one) (?:us|buy|pay)\\p{L}*.{0,12}|who uses it.{0,12}',
      'traktion|traction|fortschritt|erfolge|bisherige erfolge|wo wir stehen|aktueller stand|status|kennzahlen|erreichtes|was wir (?:schon|bereits) (?:haben|erreicht haben)|was bisher geschah|(?:unsere )?standorte|stand heute|wer nutzt es.{0,12}|wo es uns gibt',
    ),
    statement: anyOf(
      'already (?:shipping|in|used|live|working|serving|trusted)|growing \\d|we.ve (?:already|grown|reached)|bereits',
    ),
  },
  customers: {
    label: anyOf(
      '(?:our |paying |key |selected |first |reference )?(?:customers|clients)(?: and partners| & partners)?|references?|trusted by|(?:our )?partners|partnerships?|used by|customer base',
      '(?:unsere |zahlende |erste )?kunden(?: und partner)?|referenzen|(?:unsere )?partner|partnerschaften|kooperationen|kundenstamm|referenzkunden',
    ),
  },
  voices: {
    label: anyOf(
      '(?:what )?(?:they|people) say|testimonials?|customer (?:stories|feedback|voices?|satisfaction|reviews)|user (?:feedback|reviews|voices)|what (?:our )?(?:customers|users|people|clients|they) (?:say|think)|feedback|reviews|success stor(?:y|ies)|(?:customers|users) love',
      'kundenstimmen|testimonials?|feedback|rückmeldungen|bewertungen|das sagen .{2,30}|was .{2,30} sagen|nutzerstimmen|kundenzufriedenheit|zufriedenheit',
    ),
  },
  pilots: {
    label: anyOf(
      'pilots?(?: (?:projects?|customers?|stud(?:y|ies)|phase|results?))?|beta(?: test(?:s|ers|ing)?)?|early (?:adopters|users)|user (?:test(?:s|ing)?|research)|waitlist',
      'pilot(?:en|e|projekte?|kunden|phase|studien?|partner)?|beta-?(?:phase|test|nutzer)|testphase|nutzertests?|erprobung',
    ),
  },
  sales: {
    label: anyOf(
      'go.?to.?market(?: strategy| plan)?|market adoption|adoption strategy|gtm|(?:sales|marketing|growth|distribution|acquisition|launch|expansion)(?: (?:strategy|plan|channels?|approach|funnel|model|and marketing|& marketing))|market (?:entry|access)(?: strategy)?|customer acquisition|user acquisition|marketing|sales|distribution|channels?|how we (?:win|sell|reach|grow)|how (?:they|customers|users|people|\\p{L}+) (?:hear|learn|find out) (?:about|of) us|sales and marketing|marketing and sales',
      'vertrieb|vertriebs(?:strategie|kanäle|modell|weg|wege)|marketing(?:strategie|plan|kanäle)?|markteintritt(?:sstrategie)?|marktzugang|kundengewinnung|kundenakquise|akquise|kanäle|absatz|wachstumsstrategie|go.?to.?market(?:.strategie)?|wie wir kunden .{2,20}',
    ),
    statement: anyOf(
      'acquir(?:e|ing) (?:and retaining )?(?:customers|users|clients)|go.to.market|reach(?:ing)? (?:our )?customers|win(?:ning)? customers|kunden (?:zu )?gewinnen',
    ),
  },
  roadmap: {
    label: anyOf(
      '(?:product |development )?road ?map|milestones?|time ?lines?|next steps?|(?:year \\d|first.year) (?:targets|goals|(?:key )?performance indicators|kpis)|^next$|where we want to go|wohin wir wollen|next up|what.s next|coming soon|expansion plan|future plans?(?: for .{2,20})?|outlook|(?:the )?next (?:\\d+|six|twelve|eighteen) months|and then\\??|(?:so )?what now\\??|now what\\??|what.s ahead|(?:our|the) (?:path|journey)|^(?:by |end of |until )+20\\d\\d$|where we.re going|20\\d\\d ?[-–] ?20\\d\\d',
      'road ?map|fahrplan|meilensteine|zeitplan|zeitstrahl|nächsten? schritte|wie es weiter ?geht|ausblick|zukunft(?: des projekts?| von .{2,20})?|und (?:dann|jetzt)\\??|wie geht(?:.?s| es) weiter|unser weg|^(?:bis |ende )+20\\d\\d$|die nächsten (?:\\d+|sechs|zwölf) monate|zukunftspläne|entwicklungsplan',
    ),
  },
  financials: {
    label: anyOf(
      'financials?|financial (?:plan|planning|projections?|overview|model|forecast|highlights|summary|outlook|statements?)|finances|(?:revenue |sales )?(?:projections?|forecasts?)|p ?& ?l|profit and loss|break.?even|(?:by )?the numbers|key figures|cash ?flow|burn(?: rate)?|runway|budget|income statement',
      'finanzen|finanz(?:plan|planung|zahlen|prognose|kennzahlen|modell|übersicht)|(?:umsatz)?(?:planung|prognose)|umsatzentwicklung|guv|gewinn- und verlustrechnung|break.?even|liquidität|liquiditätsplan|zahlen|budget|plan (?:und|/) ist',
    ),
  },
  ask: {
    label: anyOf(
      '(?:the |our )?ask|(?:fund)?raising.{0,30}|^we need$|(?:the )?raise|(?<!(?:previous|past|prior|earlier) )funding(?: (?:plans?|ask|request|round|need|needs|requirements?))?|financing|invest(?:ment)?(?: (?:opportunity|details|ask|offer|terms|round|proposal|need|needed))?|deal(?: terms)?|(?:pre-)?seed(?: round)?|(?:this |current )?round|series [a-d]|call to action|join us|what we need|what we(?:.re| are) looking for.{0,12}|bridge(?: round)?',
      'kapitalbedarf|(?<!(?:bisherige|vorherige|frühere) )finanzierung(?:sbedarf|srunde)?|^wir brauchen$|finanzbedarf|investition(?:sbedarf|sangebot)?|investment|beteiligung(?:sangebot)?|unser ask|(?:pre-)?seed(?:-runde)?|runde|was wir (?:suchen|brauchen)|wonach wir suchen',
    ),
    statement: anyOf(
      `raising|seeking (?:funding|investment|[€$£\\d])|we (?:need|are looking for|ask for) [€$£\\d]|invest(?:ment)? (?:in|needed)|${MONEY}[^.;]{0,30} (?:convertible|safe|equity|(?:pre-?)?seed|series [a-d]|round|bridge|wandeldarlehen|eigenkapital)|(?:pre-?seed|seed|series [a-d])(?: round)? (?:of )?${MONEY}|${MONEY} (?:→|->|for|für) \\d+ (?:months|monate)|suchen (?:investoren|kapital|[€\\d])|kapitalbedarf`,
    ),
  },
  funds: {
    label: anyOf(
      'uses? of (?:funds?|proceeds|capital|funding|money|investment)|(?:fund|budget|capital) allocation|allocation(?: of funds)?|where the (?:capital|money) goes|how we.ll (?:use|spend) .{2,20}|what the money is for|what (?:the|this) (?:round|money|investment|capital) (?:buys|pays for|funds|finances|is for)|what we (?:will|plan to) do with (?:it|the .{2,20})|(?:planned )?spending',
      'mittelverwendung|verwendung der mittel|kapitalverwendung|investitionsplan|wofür .{2,30}|einsatz der mittel|mitteleinsatz|was wir damit (?:machen|vorhaben)',
    ),
    statement: anyOf('use of (?:funds|proceeds)|will be (?:used|spent)|mittelverwendung|fließt in'),
  },
  team: {
    label: anyOf(
      '(?:the |our |core |founding |management |leadership )?team|founders?|leadership|(?<!\\S\\s)management(?: (?:team|board))?(?=$|\\s*[&/,:])|who we are|who are we|^who$|the (?:two|three|four|five) of us|^us$|kami|whoami|frens|(?:the )?proponents|the (?:crew|gang|humans|faces)|(?:the )?people(?! (?:run|use|buy|say|hear|who|with|and))|meet (?:the|our) .{2,20}|advis(?:o|e)rs|advisory board|board',
      '(?:unser |das |gründer|kern|führungs)?team|gründer(?:innen|team)?|geschäftsführung|wer wir sind|wer sind wir|wir (?:zwei|drei|vier|fünf)|köpfe|das sind wir|beirat|berater|mentoren',
    ),
    statement: anyOf(
      'team (?:with|of|behind|that|is)|built by a team|(?:founders|operators) who|experienced team|team aus|team mit',
    ),
  },
  hiring: {
    label: anyOf(
      'hiring(?: plan)?|we.re hiring|open (?:positions|roles)|jobs|careers|join (?:our|the) team|key hires|next hires|(?:team )?(?:expertise|roles|skills|positions) (?:required|needed)',
      'stellen(?:angebote)?|offene stellen|wir stellen ein|jobs|karriere|personalplan(?:ung)?|einstellungen',
    ),
  },
  company: {
    label: anyOf(
      '(?<!\\S\\s)about us|(?:the |our )?company(?: overview| profile)?|at a glance|organi[sz]ation(?:al structure)?|our (?:story|history)|legal structure|governance|corporate structure',
      'über uns|(?:das )?unternehmen|unternehmensprofil|organisation|auf einen blick|(?:unsere )?geschichte|historie|gesellschafter(?:struktur)?',
    ),
  },
  vision: {
    label: anyOf(
      'vision|mission|goals?|our (?:ambition|purpose)|purpose|objectives?',
      'vision|mission|ziele?|leitbild|anspruch',
    ),
  },
  risks: {
    label: anyOf(
      '(?:potential )?challenges (?:and|&) risks|risks?|what (?:can|could) go wrong|swot|risk (?:analysis|management)|risks and mitigation|mitigants?|weaknesses|challenges ahead|threats|gap analysis|limitations|known issues|open issues|lessons learned',
      'was schief.?gehen kann|risiken|risiko\\p{L}*|swot|schwächen|gefahren',
    ),
  },
  regulatory: {
    label: anyOf(
      'regulat(?:ory|ion)(?: (?:strategy|pathway|path|status|affairs))?|approvals?|licen[cs]es|certifications?|compliance|reimbursement|market access|fda.{0,12}|ce.mark(?:ing)?|data protection|privacy',
      'regulatorik|zulassung(?:sweg|sstrategie)?|regulatorisch\\p{L}*.{0,15}|zertifizierung(?:en)?|erstattung|marktzugang|datenschutz|diga',
    ),
  },
  contents: {
    label: anyOf('table of contents|contents?|agenda|outline', 'inhalt(?:sverzeichnis|sübersicht)?|agenda|gliederung'),
  },
  closing: {
    label: anyOf(
      'thank(?:s| you).{0,20}|questions\\??.{0,25}|q ?& ?a|contact.{0,12}|get in touch|let.s (?:talk|connect|chat)|any questions',
      '(?:vielen |herzlichen )?dank.{0,30}|danke.{0,20}|fragen\\??.{0,20}|kontakt.{0,15}|ansprechpartner|merci',
    ),
  },
  legal: {
    label: anyOf(
      '(?:important )?instructions|(?:submission )?guidelines|disclaimer.{0,20}|legal (?:notice|disclaimer|notes?)|forward.looking statements?|important (?:notice|information)|safe harbou?r|confidentiality.{0,20}',
      'haftungsausschluss|rechtliche\\p{L}* hinweise?|disclaimer|impressum|wichtige\\p{L}* hinweise?|vertraulichkeit.{0,20}',
    ),
  },
  sources: {
    label: anyOf(
      '(?:research (?:and|&) )?references|sources?|bibliography|citations?|appendix.{0,5}sources',
      'quellen(?:verzeichnis|angaben)?|literatur(?:verzeichnis)?|bildnachweise?',
    ),
  },
} satisfies Partial<Record<Subject, Wording>>;
