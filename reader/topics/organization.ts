/** Cues of the questions on team and organization. */
import { anyFigure, topic, under, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';

const ROLES =
  'ceo|cto|coo|cfo|cmo|cpo|cso|cio|chro|chief \\p{L}+ officer|co-?founders?|founders?|founder|(?:managing )?director|president|chair(?:man|woman|person)|head of \\p{L}+|vp(?: of)? \\p{L}+|(?:lead|senior|software|full.?stack|backend|frontend|ml|ai|data|hardware|mechanical|product) (?:engineer|developer|designer|scientist|manager)|engineers?|developers?|designers?|project manager|marketing manager|business developer|radiologist|physician|professor|geschäftsführ\\p{L}*|(?:mit)?gründer\\p{L}*|leiter\\p{L}*|leitung|entwickler\\p{L}*|vertriebsleiter\\p{L}*|berater\\p{L}*|projektleiter\\p{L}*|ingenieur\\p{L}*|informatiker\\p{L}*|ärztin|arzt';

export const ORGANIZATION_TOPICS: Readonly<Record<string, Topic>> = {
  team_experience: topic({
    at: under(
      anyOf(
        `before|background|career|inventor|award|nominee|fellow|alum\\p{L}+|(?:ran|runs|built|sold|designed|led) [^.;]{3,60}(?<!\\p{L})(?:at|for|of|on|to|in|practice|company|startup)|\\d+ (?:y|yrs)|(?:lead|senior) \\p{L}+ (?:on|at)|ex \\p{L}+|years?|experience\\p{L}*|former(?:ly)?|previous(?:ly)?|ex-\\p{L}+|led|founded|scaled|serial|exits?|phd|ph\\.d|dr|prof(?:essor)?|mba|msc|m\\.sc|bsc|b\\.sc|md|degree|university|studied|graduate|alumni|expert(?:ise)?|specializes|board member|certified|background|worked (?:at|for)`,
        'hintergrund|werdegang|jahre\\p{L}*|erfahrung\\p{L}*|zuvor|ehemalig\\p{L}*|ehem|leitete|gründete|promov\\p{L}*|promotion|universität|hochschule|studium|studiert\\p{L}*|student\\p{L}*|master|bachelor|experte\\p{L}*|fachärzt\\p{L}*|facharzt|tu|lmu',
      ),
      'team',
    ),
    says: anyOf(
      '(?:\\d+|two|three|five|ten)\\+? (?:\\p{L}+ )?years[^.;]{0,30}(?:experience|industry|expertise)|years of (?:\\p{L}+ )?experience|(?:serial|experienced) (?:founders?|entrepreneurs?)|successful exits?|decades of (?:\\p{L}+ ){0,3}experience|team (?:has|with|brings) (?:\\p{L}+ ){0,4}(?:experience|expertise)|(?:deep )?industry (?:success|expertise)',
      '\\d+ jahre\\p{L}* (?:\\p{L}+ )?erfahrung|langjährige\\p{L}* erfahrung|serien(?:gründer|unternehmer)\\p{L}*|erfahrene\\p{L}* (?:gründer|team)\\p{L}*|jahrzehnte\\p{L}* erfahrung',
    ),
    notAt: [
      'problem',
      'market',
      'solution',
      'evidence',
      'customers',
      'voices',
      'persona',
      'today',
      'sales',
      'competition',
      'pricing',
    ],
    not: anyOf('patients?|customers? with|hiring|we are looking|accumulated research'),
    figure: anyFigure,
  }),
  organizational_maturity: topic({
    at: under(
      anyOf(
        'licen[cs]es?|backed by|founded|incorporated|employees|team of|offices?|gmbh|inc|llc|ltd|advisory|board|certified|iso|structure|legal|headquarter\\p{L}*|gegründet|mitarbeit\\p{L}*|beirat|gesellschafter\\p{L}*|standort\\p{L}*|ug',
      ),
      'company',
    ),
    says: anyOf(
      `agent of an? \\p{L}+|(?:aml|compliance|data protection)[ -]officer|datenschutzbeauftragte\\p{L}*|(?:holds?|holding|have|granted) (?:an? |the )?(?:\\p{L}+ ){0,3}licen[cs]e|licen[cs]e (?:application )?(?:granted|in review|pending)|appointed representative|(?:regulated|authori[sz]ed|supervised|audited) by|team of (?:\\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|crew of \\d+|(?:^|\\+ )\\d+ people|\\d+ people, \\p{L}+|board(?=: )|headcount|\\d+ months, \\d+ people`,
      '(?:was |officially |company )?(?:founded|incorporated|established|registered) (?:in|as)|\\d+\\+? (?:full.time )?(?:employees|ftes?|team members|staff)|advisory board|advisors|board of directors|iso ?\\d{4,5}(?: certified| certification)?|soc ?2 (?:type|certified|compliant|audited)|offices? in|headquarter(?:s|ed)|(?:delaware|c-corp|gmbh|llc) (?:was |is )?(?:officially )?(?:founded|incorporated|since)|(?:was|was officially|oﬃcially) founded',
      '(?:gegründet|gründung) (?:im |in |am )?(?:\\p{L}+ )?\\d{4}|\\d+ (?:festangestellte )?(?:mitarbeit\\p{L}*|beschäftigte|köpfe|vollzeitkräfte)|team von \\d+|beirat|aufsichtsrat|iso ?\\d{4,5}|zertifiziert nach|standorte? in|sitz in|gmbh (?:seit|gegründet)',
    ),
    notAt: [
      'problem',
      'market',
      'solution',
      'evidence',
      'voices',
      'persona',
      'today',
      'competition',
      'pricing',
      'sales',
      'hiring',
      'funds',
      'customers',
      'roadmap',
    ],
    not: anyOf(
      'raising|using iso|[.,]\\d+ fte|customers? with|per employee|pro mitarbeit\\p{L}*|employees of|former|ehemalig\\p{L}*|university foundation|onboard|financial advisors?|legal advisor|founded (?:and|by)|no employees',
    ),
    figure: anyFigure,
  }),
  team_composition: topic({
    at: under(
      anyOf(
        ROLES,
        'role|position|function|rolle|our team|team of|responsib\\p{L}*|verantwort\\p{L}*|part.time|full.time|vollzeit|teilzeit|studen\\p{L}*|business|computer science|informatik|engineering|design|finance|sales|marketing|operations|vertrieb|finanzen|medizin',
      ),
      'team',
    ),
    says: anyOf(
      `(?:\\p{L}+ ?[,|–-] ?)(?:${ROLES})|(?:${ROLES}) (?:&|and|und) (?:${ROLES})|team (?:of \\d+|is composed|consists|von \\d+|besteht)`,
    ),
    reach: 'unlabelled',
    not: anyOf(
      'founders? (?:have|can|need|get|who|are able|to focus)|ai agents?|quote|contact|e-?mail|@|hiring|we need|looking for|anduril|said|dr\\. med\\. .{0,30} sagt',
    ),
  }),
  skill_gaps: topic({
    at: under(
      anyOf(
        `(?:next|key|planned) hires?|to be hired|(?:we are |we.re )hiring|open (?:positions?|roles?)|vacant|still (?:open|missing)|n\\. ?n\\.|wir suchen|gesucht|noch offen`,
      ),
      'team',
      'hiring',
    ),
    says: anyOf(
      'skills? gaps?|missing (?:skills?|expertise|know-how|roles?|team members)|(?:our )?team (?:lacks|is missing|still needs)|we (?:lack|are missing|have no|do not (?:yet )?have|don.t (?:yet )?have) (?:\\p{L}+ ){0,4}(?:in the team|on the team|expertise|experience|lead|manager|officer|engineer|developer|expert|cto|cfo|coo)|gaps? in (?:the|our) team|to complete (?:the|our) team|missing (?:in|from|on) (?:the|our) team|(?:missing|still open|open|hiring)(?=: )|search (?:is )?running|what we lack|(?:we have )?no (?:\\p{L}+ )?(?:sales|finance|marketing|tech(?:nical)?|commercial|regulatory)(?: or \\p{L}+)? (?:person|people|lead|background|founder)|we have no ?one|none of us|no ?body (?:in|on) (?:the|our) team|looking for one|tbd|search started|we need (?:an?|someone|somebody) \\p{L}+|fractional (?:cfo|cto|cmo)|interim (?:cfo|cto|coo)|no (?:cto|cfo|coo) yet',
      'fehlende\\p{L}* (?:kompetenz\\p{L}*|erfahrung|know-how|kenntnisse|fähigkeit\\p{L}*)|(?:uns|im team|dem team) (?:noch )?fehl(?:t|en)|fehl(?:t|en) (?:uns|im team|noch)|was im team (?:noch )?fehlt|uns fehlt (?:noch )?(?:jemand|ein\\p{L}*)|keiner von uns|niemand im team|(?:noch )?offen(?=: )|(?:m/w/d)|(?:leitung|erfahrung|expertise) fehl(?:t|en)|kompetenzlücke\\p{L}*|lücke\\p{L}* im team|noch nicht besetzt|unbesetzt|interim\\p{L}*|zur verstärkung',
    ),
    notAt: [
      'problem',
      'market',
      'solution',
      'today',
      'competition',
      'persona',
      'timing',
      'evidence',
      'benefit',
      'customers',
    ],
    not: anyOf(
      'patients?|(?<!\\d )customers?|competitors?|hospitals?|workforce|talent shortage|(?<!\\d )kund\\p{L}*|wettbewerb\\p{L}*',
    ),
  }),
  urgent_hiring: topic({
    at: {
      hiring: 'any',
      ...under(
        anyOf(
          `(?:\\d+|two|three|zwei|drei) (?:[\\p{L}/&-]+ ){0,3}(?:engineers?|developers?|sales\\p{L}*|hires?|people|entwickler\\p{L}*|stellen|ingenieur\\p{L}*|vertriebl\\p{L}*)|\\p{L}+ hires?|someone for|jemand für`,
        ),
        'ask',
        'funds',
      ),
    },
    says: anyOf(
      `(?:we are |we.re |currently )?hiring|(?:new|key|next|first|planned) hires?|\\p{L}+ hires? \\(\\d+\\)|\\d+ (?:\\p{L}+ )?hires|to be hired|to hire|hire (?:a|an|our|the|\\d+|more|additional|key)|open (?:positions?|roles?)|vacanc(?:y|ies)|(?:looking|searching) for (?:a |an |our )?(?:\\p{L}+ ){0,3}(?:${ROLES})|recruit(?:ing|ment)? (?:of )?(?:a |an |key |more |\\d+)|(?:expand|grow(?:ing)?|strengthen|build(?:ing)?) (?:the|our) (?:\\p{L}+ )?team|team expansion|urgent(?:ly)? (?:hires?|needed|roles?)|next to hire|we (?:urgently )?need (?:an?|two|three|\\d+) (?:\\p{L}+ ){0,3}(?:manager|lead|head|officer|installer|nurse|operator|${ROLES})|looking for one|search (?:started|(?:is )?running)|(?:missing|still open|open)(?=: )|tbd`,
      `wir suchen (?:\\p{L}+ ){0,3}(?:${ROLES})|einstell(?:en|ung|ungen)|stellen ein|offene\\p{L}* (?:stelle\\p{L}*|position\\p{L}*)|neueinstellung\\p{L}*|zu besetzen|(?:team|personal)(?:aufbau|erweiterung|verstärkung)|verstärk\\p{L}* (?:das|unser) team|mitgründer\\p{L}* gesucht|(?:dringend|sofort) gesucht|(?:noch )?offen(?=: )|m/w/d|\\d+ stellen|brauchen wir (?:eine?n?|zwei|drei) (?:\\p{L}+ ){0,3}(?:leitung|${ROLES})`,
    ),
    notAt: [
      'problem',
      'market',
      'solution',
      'today',
      'competition',
      'persona',
      'timing',
      'evidence',
      'benefit',
      'customers',
      'voices',
      'pricing',
      'model',
      'vision',
      'advantage',
    ],
    not: anyOf(
      'companies|employers|avoid(?:ing)? hiring|recent graduates|traditional hiring|legacy hiring|hiring (?:a full-time|managers|process|infrastructure)|patients?|recruitment (?:of patients|platform)|einstellungssache',
    ),
  }),
};
