/**
 * Compares a value that a language model extracted with what the rules of the built-in reader find on the same pages, without a model server.
 * Agreement proves nothing, but two readers that know nothing of each other rarely make the same mistake.
 */
import type { Answering } from '../../domain/evidence/answering.ts';
import { agreementOf } from '../../domain/evidence/agreement.ts';
import type { Language, ModelTask } from '../../domain/models/model-tasks.ts';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import { deckBlock, systemMessage } from '../../domain/models/prompt-assembly.ts';
import { extractValueSchema } from '../../domain/models/result-schemas.ts';
import { readPrompt } from '../../reader/prompt.ts';
import { ruleOf } from '../../reader/tasks.ts';
import type { Transaction } from '../../platform/db.ts';
import { loadDeckPages } from './deck-pages.ts';

/**
 * Whether a quote of the value answers, by both readers; null where the rules find no value.
 *
 * @param value what the model found
 */
export async function agreementWithRules(
  tx: Transaction,
  { deckId, language }: { readonly deckId: string; readonly language: Language },
  task: ModelTask,
  value: string,
): Promise<Answering | null> {
  const { value: kind } = MODEL_TASKS[task];
  const rule = ruleOf(task);
  if (kind === undefined || rule === undefined || value === '') return null;
  const { pages, running } = await loadDeckPages(tx, deckId);
  const block = deckBlock(
    pages.map((page) => ({ ...page, description: null })),
    running,
  );
  const read = extractValueSchema.parse(
    rule(
      readPrompt([
        { role: 'system', content: systemMessage('', language) },
        { role: 'user', content: block },
      ]),
    ),
  );
  return read.stated ? agreementOf(kind, value, read.value) : null;
}
