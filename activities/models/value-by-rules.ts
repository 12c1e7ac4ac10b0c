/**
 * Compares a value that a language model extracted with what the rules of the built-in reader find on the same pages, without a model server.
 * Agreement proves nothing, but two readers that know nothing of each other rarely make the same mistake.
 */
import { asyncLocalStorage } from '@temporalio/activity';
import type { ModelTask } from '../../domain/models/model-tasks.ts';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import { deckBlock, systemMessage } from '../../domain/models/prompt-assembly.ts';
import { extractValueSchema } from '../../domain/models/result-schemas.ts';
import { readPrompt } from '../../reader/prompt.ts';
import { ruleOf } from '../../reader/tasks.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { AnalysisContext } from './analysis-context.ts';
import { loadDeckPages } from './deck-pages.ts';

/**
 * The value that the rules find for a task, to compare a model's with; null where they find none, and where they cannot be asked. It never
 * throws: the result of a model is stored without it, and the log of the activity says why. Not for a transaction, because it reads the whole deck.
 */
export async function valueByRules(
  db: PrismaClient,
  { analysisId, deckId, language }: AnalysisContext,
  task: ModelTask,
): Promise<string | null> {
  const rule = MODEL_TASKS[task].value === undefined ? undefined : ruleOf(task);
  if (rule === undefined) return null;
  try {
    const { pages, running, title } = await loadDeckPages(db, deckId);
    const block = deckBlock(
      pages.map((page) => ({ ...page, description: null })),
      running,
      title,
    );
    const read = extractValueSchema.parse(
      rule(
        readPrompt([
          { role: 'system', content: systemMessage('', language) },
          { role: 'user', content: block },
        ]),
      ),
    );
    return read.stated ? read.value : null;
  } catch (error) {
    // Outside an activity results are only previewed.
    asyncLocalStorage.getStore()?.log.warn('a value is not compared with the rules', { analysisId, task, err: error });
    return null;
  }
}
