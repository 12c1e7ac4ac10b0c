/** Budgets in a terminal: a bar of what is spent and reserved, of the width there is. */
import { expect, it } from 'vitest';
import type { BudgetDocument, BudgetList } from '../../../../api/client.ts';
import { renderBudgets } from '../../../../cli/costs/budget-table.ts';

const use = (changes: Partial<BudgetDocument['uses'][number]> = {}): BudgetDocument['uses'][number] => ({
  subject: '*',
  name: null,
  from: '2026-06-09T22:00:00.000Z',
  until: '2026-06-10T22:00:00.000Z',
  spentUsd: '4',
  reservedUsd: '2',
  leftUsd: '4',
  usedShare: 0.4,
  level: 'open',
  ...changes,
});
const list = (changes: Partial<BudgetDocument> = {}, held: BudgetList['held'] = []): BudgetList => ({
  timezone: 'Europe/Berlin',
  items: [
    {
      scope: 'installation',
      period: 'day',
      tenant: null,
      softUsd: '8',
      hardUsd: '10',
      currency: 'USD',
      uses: [use()],
      ...changes,
    },
  ],
  held,
});
const plain = { colours: false, width: 60 };

it('says whose it is, its caps, until when, and draws what is spent, reserved and left', async () => {
  const text = renderBudgets(list({}, [{ pool: 'visual', reason: 'no money' }]), plain);
  await expect(text).toMatchFileSnapshot('snapshots/budgets.txt');
  expect(text).toContain('██████▒▒░░░┊░░');
});

it('names each tenant, and why pools buy nothing', () => {
  const uses = [use({ subject: 'acme', reservedUsd: '0', spentUsd: '10', leftUsd: '0', level: 'hard' })];
  const text = renderBudgets(
    list({ scope: 'tenant', uses }, [{ pool: 'visual', reason: 'no\u001B[31m money' }]),
    plain,
  );
  expect(text).toContain('each tenant per day');
  expect(text).toMatch(/ {2}acme █+ {2}\$10\.00 spent, \$0\.00 left/u);
  expect(text).toContain('visual: no [31m money');
});

it('says how to set one when there is none', async () => {
  const none = renderBudgets({ timezone: 'UTC', items: [], held: [] }, plain);
  await expect(none).toMatchFileSnapshot('snapshots/no-budgets.txt');
});

it('a cap of nothing is a full bar, and the terminal may be narrow', () => {
  const text = renderBudgets(list({ hardUsd: '0', softUsd: null, uses: [use({ spentUsd: '0', reservedUsd: '0' })] }), {
    colours: false,
    width: 10,
  });
  expect(text).toContain('██████████  $0.00 spent');
});

it('names a deck by its file, and by its id where the deck is gone', () => {
  const uses = [use({ subject: '0b7d', name: 'pitch.pdf' }), use({ subject: '1c8e', name: null })];
  const text = renderBudgets(list({ scope: 'document', period: 'document', uses }), plain);
  expect(text).toMatch(/ {2}pitch\.pdf █/u);
  expect(text).not.toContain('0b7d');
  expect(text).toMatch(/ {2}1c8e █/u);
});
