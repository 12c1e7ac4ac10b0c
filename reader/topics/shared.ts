/** Words that the questions of several chapters look for. */
import { anyOf } from '../words.ts';

export const TROUBLE = anyOf(
  'problems?|suffer(?:s|ing)?|struggl(?:e|es|ing)|lack(?:s|ing)?|cannot|can.t|unable|miss(?:es|ed|ing)(?! calls?)|wait(?:s|ing)?|los(?:e|es|ing)|lost|fail(?:s|ed|ing|ures?)?|wast(?:e|es|ed|ing)|burden(?:s|ed)?|burnout|overwhelm(?:ed|ing)|errors?|delay(?:s|ed)?|too (?:late|long|slow|expensive|costly|often|many|few|little|complex|high)|undiagnosed|untreated|shortages?|pain(?:ful)?|unpaid|drown(?:s|ing)?|fear|no (?:time|access|easy|way|tools?|services?)|scarcity|avoid(?:s|ed|ing)?|not (?:\\p{L}+ing|to make)|inefficien(?:t|cy|cies)|time.consuming|costly|frustrat(?:ed|ing|ion)|deaths?|die|fragmented|siloed|outdated|manual(?:ly)?|difficult|hard to|not (?:enough|well|trustworthy|available|able)|do not have|don.t have|discouraged|never|unfilled|behind schedule|bottleneck|stolen|at risk|vulnerab\\p{L}*|abandon(?:s|ed)?|limited|limits|poor(?:ly)?|demotivat\\p{L}*|trade-offs?|insufficient|inadequate|unaware|rarely|barely|no standard|not standardi[sz]ed|complicated|stuck|unreliable|unsafe|wrong|nobody|no one',
  'probleme?n?|leiden|leidet|kämpfen|mangel\\p{L}*|fehl(?:t|en)|fehlend\\p{L}*|warten|wartet|wartezeit\\p{L}*|verlieren|verliert|scheitern|scheitert|verschwend\\p{L}*|belast(?:et|en|ung\\p{L}*)|überlast\\p{L}*|fehler|verzögerung\\p{L}*|zu (?:spät|lange?|langsam|teuer|oft|viele?|wenige?|komplex|hoch)|schmerz\\p{L}*|händisch|manuell\\p{L}*|ausfälle?|niemand|unbehandelt|unerkannt|engpass\\p{L}*|engpässe|personalmangel|fachkräftemangel|ineffizien\\p{L}*|zeitaufw[äe]nd\\p{L}*|kaum|nicht (?:mehr|genug|ausreichend)|keine? (?:zeit|zugang|möglichkeit|übersicht)|schwierig|vergess\\p{L}*|frustrier\\p{L}*|begrenzt\\p{L}*|eingeschränkt\\p{L}*|unzureichend\\p{L}*|selten|unsicher\\p{L}*|unübersichtlich\\p{L}*|chaos|umständlich\\p{L}*|mühsam\\p{L}*',
);
/** The company speaks of itself. */
const OURSELVES =
  'we (?:solve|help|bridge|offer|provide|build|are|have|raise|empower|enable)|our (?:product|solution|platform|app|software|team|expert)|solves?|solving|replaces?|our new|by (?:allowing|enabling|automating)|reduc\\p{L}* the need|freeing up|we recogni[sz]e|here to offer|ensur(?:e|es|ing)|eliminat\\p{L}*|simplif\\p{L}*|without the need|this feature|unsere? (?:lösung|produkt|app|plattform)|wir (?:lösen|bieten|helfen|haben|entwickeln)';
/** The company speaks of what it does about a problem, or a person is introduced. */
export const NOT_TROUBLE = anyOf(OURSELVES, '\\d\\d y\\.?o|years old|jahre alt|problem statement (?:id|title)');
/** The same, and what any product does. */
export const OUR_ANSWER = anyOf(OURSELVES, 'automat\\p{L}*|minimi[sz]ing|enabl(?:es|ing)');
export const NOT_OUR_MONEY = anyOf(
  'tam|sam|som|market|markt\\p{L}*|industry|economy|gdp|volkswirtschaft\\p{L}*|global|competitors?|wettbewerber',
);
/** Places where amounts are those of others or of the round. */
export const OTHER_MONEY = [
  'market',
  'problem',
  'today',
  'competition',
  'timing',
  'persona',
  'evidence',
  'team',
] as const;
