/** What the command says of a replay that has ended. */
import { expect, it } from 'vitest';
import type { AnalysisStatusDocument } from '../../../api/client.ts';
import { describeEnd } from '../../../cli/commands/replay.ts';

const ended = (status: AnalysisStatusDocument['status']): string =>
  describeEnd({
    analysisId: 'b',
    replayOf: 'a',
    status,
    overallScore: null,
    failure: null,
    progress: { modelCalls: 1, cachedCalls: 2, gaps: 1 },
  } as unknown as AnalysisStatusDocument);

it('a replay with a result can be compared with what it replays; one without cannot', () => {
  expect(ended('completed')).toContain('deckhand compare a b');
  expect(ended('completed_with_gaps')).toContain('deckhand compare a b');
  for (const status of ['failed', 'cancelled', 'running'] as const) expect(ended(status)).not.toContain('compare');
  expect(ended('completed')).toContain('1 call made, 2 stored results kept, 1 gap');
});
