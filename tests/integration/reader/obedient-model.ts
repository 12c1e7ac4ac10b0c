/** Scores of a model that obeys an attack where it reads half of it, from the simulated server. */
import type { ModelTask } from '../../../domain/models/model-tasks.ts';
import { answerUserMessage, scoreUserMessage } from '../../../domain/models/prompt-assembly.ts';
import { answerQuestionSchema, scoreAnswerSchema } from '../../../domain/models/result-schemas.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../prisma/seed/seven-chapter-review.ts';
import type { RunningReader } from '../../../simulators/ollama/server.ts';
import { messagesOf, questionOf } from '../../unit/reader/ask.ts';
import { contentOf, formatOf, lines, post } from './calls.ts';

const QUESTIONS = SEVEN_CHAPTER_REVIEW.chapters.flatMap((chapter) => chapter.questions);
/** Words of a phrase of an attack. */
const PHRASE_WORDS = 4;

/** Every run of a few words of an attack. */
function phrasesOf(attack: string): string[] {
  const words = attack.split(' ');
  const count = Math.max(1, words.length - PHRASE_WORDS + 1);
  return Array.from({ length: count }, (_, from) => words.slice(from, from + PHRASE_WORDS).join(' '));
}

export class ObedientModel {
  readonly #server: RunningReader;

  /** @param attack Its words as they stand in the deck */
  constructor(server: RunningReader, attack: string) {
    this.#server = server;
    server.control.setScript({ rules: [{ fault: { obeys: phrasesOf(attack) } }] });
  }

  /** Scores of all questions on a deck block, by slug. */
  async scores(deck: string, deckLanguage: string): Promise<Record<string, number>> {
    const language = deckLanguage === 'de' ? 'de' : 'en';
    const scored = QUESTIONS.map(async ({ slug }) => {
      const ask = async (task: ModelTask, user: string): Promise<unknown> => {
        const messages = messagesOf(task, user, language);
        const options = { num_ctx: 65_536, num_predict: 4096 };
        const call = { model: 'reader-text:1', messages, format: formatOf(task), options, stream: false };
        return JSON.parse(contentOf((await lines(post(this.#server, '/api/chat', call))).parts));
      };
      const question = questionOf(slug);
      const answer = answerQuestionSchema.parse(await ask('answer_question', answerUserMessage(question, deck)));
      if (answer.covered === 'no') return [slug, 0] as const;
      const message = scoreUserMessage(question, answer.answer, answer.evidence);
      return [slug, scoreAnswerSchema.parse(await ask('score_answer', message)).score] as const;
    });
    return Object.fromEntries(await Promise.all(scored));
  }
}
