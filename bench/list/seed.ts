/**
 * Writes the decks of a large tenant by SQL: 5,000 decks of 30 slides of text each, reviewed, with quotes, facts, scores, costs, tags and decisions.
 * Words are drawn from a vocabulary of several thousand, the common ones most often, as in a language.
 */
import pg from 'pg';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';

export const DECKS = 5000;
const SLIDES = 30;
const SENTENCES = 30_000;
const SENTENCE_WORDS = 14;
const SENTENCES_PER_SLIDE = 5;
const WORDS_PER_SLIDE = SENTENCE_WORDS * SENTENCES_PER_SLIDE;
const VOCABULARY = 6000;
/** Answers with two quotes each. */
const ANSWERS = 28;
const ENTRIES_PER_ANALYSIS = 100;
/** Names of companies begin with these. */
const NAMES = ['Nord', 'Alpen', 'Quanten', 'Medi', 'Agri', 'Solar', 'Robo', 'Fin', 'Bio', 'Cargo'];
const SECTORS = ['fintech', 'biotech', 'climate', 'mobility', 'software', 'robotics'];

/** Writes the data. Of the tenant {@link DEFAULT_TENANT}, whose templates are there. */
export async function seedDecks(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const sql of statements()) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Words of one slide, with their places. */
const layout = JSON.stringify({
  version: 5,
  widthPt: 960,
  heightPt: 540,
  source: 'layer',
  ocr: 'none',
  readableShare: 1,
  blank: false,
  words: Array.from({ length: WORDS_PER_SLIDE }, (_, i) => ({
    text: `word${i}`,
    box: [40 + (i % 10) * 90, 60 + i * 6, 120 + (i % 10) * 90, 76 + i * 6],
    sizePt: 14,
    turn: 0,
    bold: false,
    confidence: null,
  })),
  blocks: [],
  hidden: [],
});

function statements(): string[] {
  const decks = `generate_series(1, ${DECKS}) AS i`;
  const tenant = `'${DEFAULT_TENANT}'`;
  const pick = (of: readonly string[], by: string): string =>
    `(ARRAY[${of.map((each) => `'${each}'`).join(', ')}])[1 + (${by}) % ${of.length}]`;
  const created = `timestamp '2026-01-01' + i * interval '90 minutes'`;
  return [
    // Without foreign keys and triggers; what triggers would note is noted below.
    `SET session_replication_role = replica`,
    `SELECT setseed(0.42)`,
    `CREATE TEMP TABLE vocabulary AS
       SELECT n, (ARRAY['ma','ter','ion','kap','ver','su','lo','ri','tech','ge'])[1 + n % 10]
         || (ARRAY['ra','sto','ne','bi','kul','ta','mi','fo','xen','dur'])[1 + n / 10 % 10]
         || (ARRAY['um','ing','keit','able','or','ik','son','ie','at','el'])[1 + n / 100 % 10]
         || CASE WHEN n >= 1000 THEN (n / 1000)::text ELSE '' END AS word
       FROM generate_series(0, ${VOCABULARY - 1}) AS n`,
    `CREATE TEMP TABLE sentence AS SELECT s AS n, string_agg(v.word, ' ') AS text FROM (
       SELECT s, floor(${VOCABULARY} * random() ^ 3)::int AS w FROM generate_series(0, ${SENTENCES - 1}) s, generate_series(1, ${SENTENCE_WORDS})
     ) drawn JOIN vocabulary v ON v.n = drawn.w GROUP BY s`,
    `CREATE UNIQUE INDEX ON sentence (n)`,
    `INSERT INTO "Deck" (id, "tenantId", sha256, "fileName", "otherNames", "sizeBytes", "pageCount", title, "hasTextLayer", language, hazards,
       "uploadedBy", "createdAt")
     SELECT 'deck-' || lpad(i::text, 6, '0'), ${tenant}, lpad(to_hex(i), 64, '0'), ${pick(NAMES, 'i')} || '_pitch-deck_' || i || '.pdf', '{}',
       2000000, ${SLIDES}, 'Pitch deck', true, 'en', '{}', ${pick(['Ann', 'Ben', 'Drop folder'], 'i')}, ${created} FROM ${decks}`,
    `INSERT INTO "Slide" (id, "tenantId", "deckId", number, "renderKey", text, layout, "createdAt")
     SELECT 'slide-' || i || '-' || page, ${tenant}, 'deck-' || lpad(i::text, 6, '0'), page, '${RENDER_KEY}',
       (SELECT string_agg(s.text, ' ') FROM generate_series(1, ${SENTENCES_PER_SLIDE}) k
          JOIN sentence s ON s.n = (i * 7919 + page * 104729 + k * 1299709) % ${SENTENCES}),
       '${layout}'::jsonb, ${created}
     FROM ${decks}, generate_series(1, ${SLIDES}) AS page`,
    `INSERT INTO "Analysis" (id, "tenantId", "deckId", language, "modelProfile", "workflowId", "replayItems", status, stage, "engineKind",
       "overallScore", "scoredQuestions", "askedQuestions", "createdAt", "startedAt", "finishedAt")
     SELECT 'analysis-' || i, ${tenant}, 'deck-' || lpad(i::text, 6, '0'), 'en', 'ollama', 'deck/analysis-' || i, '{}',
       (CASE WHEN i % 50 = 0 THEN 'failed' WHEN i % 7 = 0 THEN 'completed_with_gaps' ELSE 'completed' END)::"AnalysisStatus", 'review', 'llm',
       CASE WHEN i % 50 <> 0 THEN round((random() * 7)::numeric, 4)::float END, 20 + i % 9, ${ANSWERS}, ${created}, ${created}, ${created}
     FROM ${decks}`,
    `INSERT INTO "Extraction" (id, "tenantId", "analysisId", field, status, raw, amount, currency, "isoDate")
     SELECT 'extraction-' || i || field, ${tenant}, 'analysis-' || i, field, 'found',
       CASE field WHEN 'company_name' THEN ${pick(NAMES, 'i')} || 'werk ' || i WHEN 'offering' THEN 'Software for ' || ${pick(SECTORS, 'i / 3')}
         WHEN 'funding' THEN '€' || 1 + i % 40 || 'm' ELSE '2026' END,
       CASE WHEN field = 'funding' THEN (1 + i % 40) * 1000000 END, CASE WHEN field = 'funding' THEN 'EUR' END,
       CASE WHEN field = 'deck_date' THEN '2026-' || lpad((1 + i % 12)::text, 2, '0') END
     FROM ${decks}, unnest(ARRAY['company_name', 'offering', 'funding', 'deck_date']) AS field WHERE i % 9 <> 0 OR field <> 'funding'`,
    `INSERT INTO "Classification" (id, "tenantId", "analysisId", status, "sectorSlug", confidence, confident, keywords)
     SELECT 'class-' || i, ${tenant}, 'analysis-' || i, 'classified', ${pick(SECTORS, 'i / 3')}, 0.9, true, '{}' FROM ${decks}`,
    `INSERT INTO "Answer" (id, "tenantId", "analysisId", "questionId", status, "scoreStatus", score)
     SELECT 'answer-' || i || '-' || n, ${tenant}, 'analysis-' || i, 'question-' || n, 'answered', 'scored', (i + n) % 8
     FROM ${decks}, generate_series(1, ${ANSWERS}) AS n`,
    `INSERT INTO "Evidence" (id, "tenantId", "answerId", position, "slideNumber", quote, verdict)
     SELECT 'evidence-' || i || '-' || n || '-' || q, ${tenant}, 'answer-' || i || '-' || n, q, 1 + n, 'a quote of some words of the slide',
       (CASE WHEN (i + n + q) % 9 = 0 THEN 'unverified' ELSE 'verified' END)::"EvidenceVerdict"
     FROM ${decks}, generate_series(1, ${ANSWERS}) AS n, generate_series(1, 2) AS q`,
    `INSERT INTO "Evidence" (id, "tenantId", "extractionId", position, "slideNumber", quote, verdict)
     SELECT 'of-' || id, "tenantId", id, 0, 1, 'a quote of some words of the slide', 'verified' FROM "Extraction"`,
    `INSERT INTO "DeckProfile" (id, "tenantId", "analysisId", status, "documentKind", unanswered)
     SELECT 'profile-' || i, ${tenant}, 'analysis-' || i, 'analysed', CASE WHEN i % 20 = 0 THEN 'form' ELSE 'pitch_deck' END, '{}' FROM ${decks}`,
    `INSERT INTO "ProfileFact" (id, "tenantId", "profileId", topic, position, name, value, amount, currency)
     SELECT 'fact-' || i || topic || n, ${tenant}, 'profile-' || i, topic, n, 'Some words ' || n,
       CASE topic WHEN 'stage' THEN ${pick(['Pre-Seed', 'Seed', 'Series A'], 'i')} ELSE 'of a fact' END,
       CASE WHEN topic = 'market' THEN (1 + i % 90) * 100000000::bigint END, CASE WHEN topic = 'market' THEN 'EUR' END
     FROM ${decks}, unnest(ARRAY['customers', 'use_of_funds', 'traction', 'team', 'market', 'competition', 'stage']) AS topic,
       generate_series(1, 3) AS n WHERE topic <> 'stage' OR n = 1`,
    `INSERT INTO "Evidence" (id, "tenantId", "profileFactId", position, "slideNumber", quote, verdict)
     SELECT 'of-' || id, "tenantId", id, 0, 1, 'a quote of some words of the slide', 'verified' FROM "ProfileFact"`,
    `INSERT INTO "Gap" (id, "tenantId", "analysisId", item, stage, code, message)
     SELECT 'gap-' || i, ${tenant}, 'analysis-' || i, 'slide/1/page', 'slides', 'page_render_failed', 'x' FROM ${decks} WHERE i % 7 = 0`,
    `INSERT INTO "LedgerEntry" (id, "rentalId", position, kind, "fromAt", "untilAt", "shareSeconds", "amountUsd", provider, "tenantId", "deckId", "analysisId")
     SELECT 'entry-' || i || '-' || n, 'rental', i * ${ENTRIES_PER_ANALYSIS} + n, 'busy', ${created}, ${created}, 1, 0.0001 * (1 + (i + n) % 9),
       'bench', ${tenant}, 'deck-' || lpad(i::text, 6, '0'), 'analysis-' || i
     FROM ${decks}, generate_series(1, ${ENTRIES_PER_ANALYSIS}) AS n`,
    `INSERT INTO "HumanVerdict" (id, "tenantId", "deckId", kind, subject, text, "authorName")
     SELECT 'tag-' || i || tag, ${tenant}, 'deck-' || lpad(i::text, 6, '0'), 'tag', tag, tag, 'Ann'
     FROM ${decks}, unnest(ARRAY['hot', 'dach', 'seed']) AS tag WHERE i % 4 = length(tag) % 4`,
    `INSERT INTO "HumanVerdict" (id, "tenantId", "deckId", kind, subject, text, "authorName")
     SELECT 'decision-' || i, ${tenant}, 'deck-' || lpad(i::text, 6, '0'), 'decision', 'deck', ${pick(['meet', 'later', 'pass'], 'i')}, 'Ann'
     FROM ${decks} WHERE i % 3 <> 0`,
    `INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT id, "tenantId" FROM "Deck"`,
    `ANALYZE`,
  ];
}
