/** Words by which slides on the problem, the product and the market are known. */
import type { Subject, Wording } from '../subject.ts';
import { anyOf } from '../words.ts';

export const PRODUCT_WORDINGS = {
  problem: {
    label: anyOf(
      '(?<!(?:address|solv|tackl)\\p{L}* (?:the )?)problems?|pain ?points?|challenges?|(?:unmet|customer|market) needs?|the need|issues?|the gap|why .{2,20} (?:fails?|hurts?)',
      'probleme?n?|problemstellung|schmerzpunkte?|herausforderung(?:en)?|bedarf|ausgangslage|missstand|schiefläuft',
    ),
    statement: anyOf(
      'wast(?:e|es|ed|ing)|struggl(?:e|es|ing)|suffer(?:s|ing)?|broken|lacks?|lacking|doesn.t have|don.t have|fail(?:s|ed|ing)?|faces? (?:\\p{L}+ )?challenges|time-consuming|too (?:late|long|slow|little|many|expensive|complex)|shortage|crisis|lose|loses|losing|unsolved|untreated|overwhelm(?:ed|ing)|fragment(?:ed|ation)|inefficien\\p{L}*|frictions?|bottlenecks?|(?:is|are) (?:hard|difficult|slow|painful|expensive|tedious|complicated|outdated)',
      'verschwende[nt]?|leiden|leidet|kämpfen|fehl(?:t|en)|mangel(?:t|n)?|scheiter(?:t|n)|verlier(?:t|en)|zu (?:spät|lang|langsam|wenig|viele?|teuer|komplex)|überlastet|ungelöst|warten|krise',
    ),
  },
  today: {
    label: anyOf(
      '(?:current|existing|other|today.s|available) (?:solutions?|situation|state|alternatives?|approach(?:es)?|treatments?|options?|methods?)|status quo|alternatives?|standard of care|state of the art|how it.s done today|^(?:today|now)$|(?:how|what) .{2,30} (?:do|does|is done|are done)(?: it)? (?:now|today)|(?:what|how) do(?:es)? .{2,30} today|and today\\??',
      '(?:aktuelle|bestehende|bisherige|heutige|andere)[nr]? (?:lösung(?:en)?|situation|alternativen?|ansätze|methoden|verfahren)|alternativen?|stand der technik|standardtherapie|ist-zustand|^(?:heute|jetzt)$|wie es heute (?:läuft|ist|geht)|so (?:läuft|geht) es heute|(?:was|wie) machen .{2,30} heute\\??|und heute\\??|warum hilft .{2,20}|warum reicht .{2,30} nicht',
    ),
  },
  before: {
    label: anyOf(
      '(?:the )?old way|before (?:and|vs\\.?|&) after|traditional way',
      'vorher (?:und|vs\\.?|/) nachher|der alte weg',
    ),
  },
  persona: {
    label: anyOf(
      'user stor(?:y|ies)|personas?|target (?:group|audience|customers?|users?|market)s?|the (?:customer|user)|who (?:is it for|we serve|needs it)|(?:ideal )?customer profile|customer segments?|icp|beachhead',
      'zielgruppen?|zielkunden|nutzergeschichte|anwendungsfälle|für wen|kundensegmente?',
    ),
  },
  solution: {
    label: anyOf(
      '(?<!current |existing |other |available |alternative )solutions?|(?<!by |per |sales )products?(?! roadmap|-market| market| pipeline)|how (?:does |do )?(?:it|we|this) works?|technolog(?:y|ies)|tech stack|our (?:platform|answer|concept|app|device|idea)|(?:high |product |game )?concept(?! for)|what (?:(?:we|it) (?:do(?:es)?|build|offer)|is [\\p{L}]+)|(?:technical|our) approach|technology stack|features?|functionality|services|architecture|(?:live )?demo|prototype|mvp|use cases?|value proposition|under the hood|introducing|idea',
      '(?<!aktuelle |bestehende |bisherige |andere )lösung(?:en)?|lösungsansatz|(?:unser )?produkte?|so funktioniert.{0,20}|wie .{2,20} funktioniert|technologie|unser (?:ansatz|konzept)|unsere (?:idee|app|plattform)|was wir (?:tun|machen|bieten)|funktionen|funktionsweise|verfahren|was (?:machen|bieten|bauen) wir.{0,12}|leistungen|angebot|prototyp|anwendungsfälle|wertversprechen|nutzenversprechen',
    ),
    statement: anyOf(
      'is the (?:first|only|world.s first)|(?:provides|offers|delivers|enables|helps) \\p{L}+|we (?:empower|help|build|enable|make|combine|provide|offer|bring|turn)|a (?:factory|platform|tool|app|device|system) (?:that|for)|^one \\p{L}+ (?:for|between|instead|that|to)',
      'wir (?:bauen|bieten|entwickeln|machen|helfen|verbinden|ermöglichen)|ermöglicht|bietet|hilft|eine? (?:plattform|app|gerät|system) (?:für|die|das)',
    ),
  },
  benefit: {
    label: anyOf(
      'benefits?|(?:customer |user |patient )?value|impact|(?:climate|social|health|environmental) impact|outcomes?|roi|savings?|results?|added value|gains?',
      '(?:kunden)?nutzen|vorteile?|mehrwert|wirkung|ergebnisse?|einsparung(?:en)?|ersparnis',
    ),
    statement: anyOf(
      'saves?|saving|giving back|reduc(?:es?|ing)|cuts?|faster|more affordable|cheaper|improv(?:es?|ing)|spart|senkt|schneller|günstiger|verbessert|reduziert',
    ),
  },
  evidence: {
    label: anyOf(
      '(?:clinical|scientific|preclinical|our|the)? ?(?:evidence|validation|data|stud(?:y|ies)|trials?|proof)|clinical (?:results?|trials?|studies|development|program(?:me)?|pipeline)|case stud(?:y|ies)|proof of (?:concept|principle)|(?<!how )does it work|it works|pipeline',
      '(?:klinische |wissenschaftliche )?(?:evidenz|validierung|studien?|studienlage|nachweise?|belege|daten)|wirkt es|(?:es|das) funktioniert|funktioniert (?:das|es)|wirksamkeit|fallstudien?|machbarkeitsnachweis',
    ),
  },
  market: {
    label: anyOf(
      '(?<!to.|to-|product |product.|target )markets?(?! entry| access| fit| need|.fit|ing)|(?:market )?(?:opportunity|size|potential)|tam|industry|addressable market',
      'm[aä]rkte?|marktgröße|marktpotenzial|marktpotential|marktvolumen|marktchance|zielmarkt|branche|potenzial',
    ),
    statement: anyOf(
      'billion (?:market|opportunity)|market (?:of|worth|size|opportunity|is)|growing market|tam|cagr|mrd\\.? .{0,20}markt|milliardenmarkt|wachsende[rn]? markt|niche to',
    ),
  },
  timing: {
    label: anyOf(
      'why now|why (?:\\p{L}+ ){1,4}(?:possible )?(?:now|years? ago|before)|timing|trends?|tailwinds?',
      'warum jetzt|warum gerade jetzt|trends?|der richtige zeitpunkt',
    ),
  },
  competition: {
    label: anyOf(
      'competit(?:ion|ors?)|competitive (?:landscape|analysis|overview|comparison|matrix|positioning|environment|map)|(?:market )?landscape|comparison|vs\\.? (?:competition|others|alternatives)|benchmark(?:ing)?|comparison with (?:other|existing) (?:solutions|products|providers)|how we compare|positioning|comparables?|peers|peer group|^vs\\.?$|^(?:the )?others(?: in .{2,20})?$|what others do|who else.{0,20}|why not .{2,40}|(?:aren.t|isn.t) there .{2,40} already|don.t .{2,40} (?:already )?exist',
      'wettbewerb(?:er|s)?|wettbewerbs(?:analyse|umfeld|vergleich|situation|landschaft|übersicht)|konkurren(?:z|ten)|konkurrenzanalyse|mitbewerber|vergleich|marktbegleiter|positionierung|^(?:die )?anderen$|was andere (?:machen|bieten)|wer (?:es )?(?:noch|sonst).{0,20}|wer macht .{2,20}|gibt es (?:das|so ?etwas) nicht schon|warum nicht .{2,40}',
    ),
    statement: anyOf(
      'than (?:its |our |the |other )?competit(?:ion|ors?)|compared (?:to|with)|als (?:die |der )?(?:konkurrenz|wettbewerb)',
    ),
  },
  advantage: {
    label: anyOf(
      'competitive (?:advantages?|edge)|(?:unfair |our |key )?advantages?|usps?|unique (?:selling|value) (?:points?|propositions?)(?: \\(?\\p{L}{3}\\)?)?|differentiat(?:ion|ors?)|moat|defensib(?:le|ility)|why (?:us|we win|choose .{2,30}|we.re different|(?!now|not|this|it|is|are|do|does|we|you)\\p{L}+)\\??|intellectual property|ip|patents?|what makes us (?:different|unique)|barriers? to entry|secret sauce',
      'alleinstellungsmerkmale?|wettbewerbsvorteile?|usps?|differenzierung|abgrenzung|warum (?:wir|uns)|burggraben|schutzrechte?|patente?|was uns (?:unterscheidet|besonders macht|auszeichnet)',
    ),
    statement: anyOf(
      'difficult to copy|hard to copy|first and only|only (?:solution|company|platform|product)|unique|unlike|patent(?:ed|s)?|why .{2,30} wins?|schwer zu kopieren|einzigartig\\p{L}*|als einzige\\p{L}*|im gegensatz',
    ),
  },
} satisfies Partial<Record<Subject, Wording>>;
