/** Servers of OpenAI's protocol on which decks are reviewed: what they do with the requests of a deck is scripted. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Send, StartServer } from '../scripted-model/review.ts';
import type { Act } from './script.ts';
import {
  type RecordedRequest,
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  startScriptedOpenAi,
} from './server.ts';
import { type ChatBody, picturesOf } from './settings.ts';

/** Names of schemas that belong to a deck, as formats or where they stand in the question. Trials have others. */
const DECK_TASK =
  /"name":"(?:describe|slide|condense|extract|classify|answer|score|specialised)_|JSON schema: \{\\"title\\":\\"(?:describe|slide|condense|extract|classify|answer|score|specialised)_/u;

/** Behaviour towards the requests of a deck once it is armed. */
export interface DeckFault {
  /** @param number of the request among those of the deck, from 1; undefined = it answers */
  readonly act?: (number: number, body: ChatBody) => Act | undefined;
  /** Its refusals say nothing of the request, which may be sent as often as one that is lost. */
  readonly isOfAccount?: boolean;
  /** The whole server is gone with this request, for so long. */
  readonly death?: { readonly atRequest: number; readonly backAfterSec: number | null };
}

/** A server that behaves so. */
export const scriptedOpenAi =
  (
    options: Omit<ScriptedOpenAiOptions, 'models' | 'script'>,
    { act, death, isOfAccount = false }: DeckFault = {},
  ): StartServer =>
  async (model, clock) => {
    let isArmed = false;
    let isStopped = false;
    let deckRequests = 0;
    const refused = new Set<RecordedRequest>();
    const lives: ScriptedOpenAi[] = [];
    const script = (request: RecordedRequest): Act | undefined => {
      const { body } = request;
      if (!isArmed || !isOfDeck(body)) return undefined;
      deckRequests += 1;
      if (deckRequests === death?.atRequest) {
        void die(death.backAfterSec);
        return { kind: 'silence' };
      }
      const done = act?.(deckRequests, body as ChatBody);
      if (done !== undefined && isOfAccount) refused.add(request);
      return done;
    };
    const live = async (port: number): Promise<ScriptedOpenAi> => {
      const server = await startScriptedOpenAi({ ...options, models: [model], script, port });
      lives.push(server);
      return server;
    };
    const die = async (backAfterSec: number | null): Promise<void> => {
      const dead = lives.at(-1);
      await dead?.stop();
      if (backAfterSec === null) return;
      await sleep((backAfterSec * 1000) / clock);
      if (!isStopped) await live(dead?.port ?? 0);
    };
    const { url } = await live(0);
    return {
      kind: 'openai',
      url: `${url}/v1`,
      arm: () => {
        isArmed = true;
      },
      sends: () =>
        sendsIn(
          lives.flatMap(({ chats }) => chats.filter(({ body }) => isOfDeck(body))),
          refused,
        ),
      stop: async () => {
        isStopped = true;
        await lives.at(-1)?.stop();
      },
    };
  };

const isOfDeck = (body: unknown): boolean => DECK_TASK.test(JSON.stringify(body));

const ENDS = { answered: 'answered', broken: 'reset', hung_up: 'cut', stopped: 'lost' } as const;

/** A request that is sent again says the same and perhaps what was wrong with the answer. */
function sendsIn(requests: readonly RecordedRequest[], refused: ReadonlySet<RecordedRequest>): Send[] {
  const pictures: string[] = [];
  const questions: string[] = [];
  return requests.map((request) => {
    const { body, end, arrivedAtMs } = request;
    const chat = body as ChatBody;
    const [picture = null] = picturesOf(chat);
    if (picture !== null && !pictures.includes(picture)) pictures.push(picture);
    const said = (chat.messages ?? []).map(({ content }) =>
      typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
    );
    const name = chat.response_format?.json_schema?.name ?? '';
    const question = `${picture ?? ''} ${name} ${said.join('\n\n')}`;
    const known = questions.find((each) => question.startsWith(each));
    if (known === undefined) questions.push(question);
    return {
      identity: createHash('sha256')
        .update(known ?? question)
        .digest('hex'),
      picture: picture === null ? null : 1 + pictures.indexOf(picture),
      end: end === null ? null : refused.has(request) ? 'lost' : ENDS[end],
      present: requests.filter(
        (other) => other.arrivedAtMs <= arrivedAtMs && (other.endedAtMs === null || other.endedAtMs >= arrivedAtMs),
      ).length,
    };
  });
}
