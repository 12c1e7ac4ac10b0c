/** Stores what people say, row by row: nothing is changed or removed. */
import { randomUUID } from 'node:crypto';
import { placeDeck } from '../../../activities/companies/place.ts';
import type { HumanVerdict, ParsedVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { isOnLines } from '../../../domain/decks/verdicts/judgement.ts';
import { isWithdrawal, type Saying, sayingOf, saysTheSame } from '../../../domain/decks/verdicts/saying.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import { lockForTransaction } from '../../../platform/locks.ts';
import { authorOf, type Identity } from '../../auth/identity.ts';
import { noteChangedLevels } from '../../calibration/judged-lines.ts';
import { holdDeck } from '../store.ts';
import { checkItem, checkSubject, machineSaid, type VerdictDeck } from './check.ts';
import { verdictDocument } from './schemas.ts';

/** The history of a deck, oldest first. */
export async function verdictsOf(db: PrismaClient, { tenantId, deckId }: VerdictDeck): Promise<HumanVerdict[]> {
  const rows = await db.humanVerdict.findMany({ where: { tenantId, deckId }, orderBy: { sequence: 'asc' } });
  return rows.map(verdictDocument);
}

/** A row of the history, and whether it is new. */
interface Added {
  readonly verdict: HumanVerdict;
  readonly created: boolean;
}

/**
 * Stores what a person says about a deck, unless it holds already. A corrected name of the company may put the deck to another one.
 *
 * @param settings from how many judgements on they hold for other lines
 * @throws DeckhandError `not_found` for the deck, and where there is nothing to withdraw; `conflict` while the deck is being deleted;
 *   `invalid_request` for what does not exist
 */
export async function addVerdict(
  db: PrismaClient,
  deckId: string,
  identity: Identity,
  verdict: ParsedVerdict,
  settings: AnsweringSettings,
): Promise<Added> {
  const saying = sayingOf(verdict);
  const deck = { tenantId: identity.tenantId, deckId };
  const stored = await db.$transaction(async (tx) => {
    const store = (): Promise<Added> => storeSaying(tx, deck, identity, saying);
    return isOnLines(saying) ? noteChangedLevels(tx, deck.tenantId, settings, store) : store();
  });
  // Also for what holds already: the request before may have ended after its row was stored.
  if (saying.kind === 'value' && saying.subject === COMPANY_NAME) await placeDeck(db, deck);
  return stored;
}

async function storeSaying(tx: Transaction, deck: VerdictDeck, identity: Identity, saying: Saying): Promise<Added> {
  const { tenantId, deckId } = deck;
  await holdDeck(tx, tenantId, deckId);
  // One after the other: two equal requests at the same moment are one verdict.
  await lockForTransaction(tx, `verdicts/${deckId}`);
  await checkSubject(tx, deck, saying);
  await checkItem(tx, deck, saying);
  const { text, score, answering, engine, analysisId } = await machineSaid(tx, deck, saying);
  const known = await newestOf(tx, deck, saying, identity);
  // A judgement is about the machine's words: on other words the same judgement is another one.
  const isOnOtherWords = saying.kind === 'judgement' && !isWithdrawal(saying) && known?.machine.text !== text;
  if (known !== null && !isOnOtherWords && saysTheSame(known, saying)) return { verdict: known, created: false };
  if (known === null && isWithdrawal(saying)) throw nothingSaid();
  const id = randomUUID();
  const item = saying.kind === 'note' ? (saying.item ?? id) : '';
  const machine = {
    machineText: text,
    machineScore: score,
    machineAnswering: answering,
    machineEngine: engine?.engineKind ?? null,
    machineModel: engine?.modelName ?? null,
    machineDigest: engine?.modelDigest ?? null,
  };
  const author = { authorKeyId: identity.keyId, authorName: authorOf(identity) };
  const row = await tx.humanVerdict.create({
    data: { ...saying, ...deck, ...machine, ...author, analysisId, id, item },
  });
  return { verdict: verdictDocument(row), created: true };
}

const COMPANY_NAME = subjectOf({ of: 'value', field: 'company_name' });

/**
 * The newest row that this one would follow. A new note follows none; but the same words on the same thing by the same person are the same note,
 * sent twice.
 */
async function newestOf(
  tx: Transaction,
  deck: VerdictDeck,
  { kind, subject, item, text }: Saying,
  identity: Identity,
): Promise<HumanVerdict | null> {
  const about = { ...deck, kind, subject };
  if (kind !== 'note' || item !== null) {
    const where = { ...about, item: item ?? '' };
    const row = await tx.humanVerdict.findFirst({ where, orderBy: { sequence: 'desc' } });
    return row === null ? null : verdictDocument(row);
  }
  const notes = await tx.humanVerdict.findMany({
    where: about,
    distinct: ['item'],
    orderBy: [{ item: 'asc' }, { sequence: 'desc' }],
  });
  const author = authorOf(identity);
  const same = notes.find((note) => text !== null && note.text === text && note.authorName === author);
  return same === undefined ? null : verdictDocument(same);
}

const nothingSaid = (): DeckhandError =>
  new DeckhandError('not_found', 'nothing to withdraw', { userMessage: 'There is nothing that could be withdrawn.' });
