/**
 * A pool of instances: it observes, decides (a pure function) and acts, for as long as the configuration has it.
 *
 * It alone changes the number of instances. A signal only makes it observe now. Handlers change nothing but state, all
 * effects happen in one loop, and the state is plain JSON that is carried through continue-as-new.
 */
import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { durationWords } from '../../../domain/text/words.ts';
import {
  CONFIGURE_SIGNAL,
  DECISION_QUERY,
  INSTANCE_CHANGED_SIGNAL,
  OPERATOR_SIGNAL,
  RETIRE_SIGNAL,
  WORK_SIGNAL,
  type PoolReport,
  type PoolWorkflowInput,
  type WorkComing,
} from '../../../contracts/pool.ts';
import { type OperatorAsk, type PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';
import { PoolKeeper } from './keeper.ts';
import { historyIsLong } from '../../history-length.ts';

const workSignal = defineSignal<[WorkComing]>(WORK_SIGNAL);
const configureSignal = defineSignal<[PoolSetup]>(CONFIGURE_SIGNAL);
const retireSignal = defineSignal(RETIRE_SIGNAL);
const operatorSignal = defineSignal<[OperatorAsk]>(OPERATOR_SIGNAL);
const instanceChangedSignal = defineSignal(INSTANCE_CHANGED_SIGNAL);
const decisionQuery = defineQuery<PoolReport>(DECISION_QUERY);

/** Events after which a pool continues as new: each costs time at every replay. */
const MAX_HISTORY_LENGTH = 2000;
/** Least time between two rounds, so that many signals cause one round. The first signal after a quiet time is answered at once. */
const LOOK_GAP_MS = 500;

/** See the file's header. Ends only when the pool is retired and has no instance left. */
export async function pool(input: PoolWorkflowInput): Promise<void> {
  const keeper = new PoolKeeper(input.setup, input.resume);
  let woken = false;
  setHandler(workSignal, (work) => {
    keeper.announce(work);
    woken = true;
  });
  setHandler(operatorSignal, (ask) => {
    keeper.ask(ask);
    woken = true;
  });
  setHandler(configureSignal, (setup) => {
    keeper.configure(setup);
    woken = true;
  });
  setHandler(retireSignal, () => {
    keeper.configure({ ...keeper.setup, retired: true });
    woken = true;
  });
  setHandler(instanceChangedSignal, () => {
    woken = true;
  });
  setHandler(decisionQuery, () => keeper.report);

  await keeper.register();
  for (let lookedAtMs = 0; ;) {
    const restMs = keeper.nextLookAtMs - Date.now();
    if (restMs > 0) await condition(() => woken, restMs, { summary: `next look in ${durationWords(restMs)}` });
    const gapMs = lookedAtMs + LOOK_GAP_MS - Date.now();
    if (gapMs > 0) await sleep(gapMs, { summary: 'many signals are one look' });
    woken = false;
    lookedAtMs = Date.now();
    await keeper.look();
    setCurrentDetails(keeper.details);
    if (keeper.isOver) return;
    // Nothing is awaited between this check and the end of the run: a request that came before is in the state, or makes the next run
    // observe at once.
    if (historyIsLong(input.maxHistoryLength ?? MAX_HISTORY_LENGTH)) {
      const { state } = keeper;
      const resume = woken ? { ...state, nextLookAtMs: 0 } : state;
      return continueAsNew<typeof pool>({ ...input, setup: keeper.setup, resume });
    }
  }
}
