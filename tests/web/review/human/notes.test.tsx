/** Notes of people on statements and slides. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, callsOf, problem } from '../../support/api.ts';
import { ANALYSIS_ID, type Inside, openReview, part, rowIn, said, sentVerdicts, storedVerdict } from '../deck-page.ts';

const QUESTION = 'Which problem does the company want to solve, and who has it?';

const row = (): Inside => rowIn('Problem analysis', QUESTION);

/** The field of the open form. */
const field = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });

it('A note is written with one key on the statement that is shown, changed, and withdrawn', async () => {
  const { user } = await openReview();
  await user.keyboard('j');
  const first = within(screen.getByRole('article', { current: true }));
  await user.keyboard('n');
  expect(document.activeElement).toBe(first.getByRole('textbox', { name: 'Note' }));
  await user.keyboard(' Ask for the study. {Control>}{Enter}{/Control}');
  await first.findByText(/^Ann Archer, \d+ /u);
  expect(first.getByText('Ask for the study.')).toBeTruthy();
  expect(sentVerdicts()).toEqual([
    { kind: 'note', subject: 'value/offering', text: 'Ask for the study.', item: null, analysisId: ANALYSIS_ID },
  ]);

  await user.click(first.getByRole('button', { name: 'Change the note' }));
  expect(field().value).toBe('Ask for the study.');
  await user.clear(field());
  await user.type(field(), 'Ask for the whole study.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await first.findByText('Ask for the whole study.');
  expect(first.queryByText('Ask for the study.')).toBeNull();
  await first.findByText(/^Ann Archer, \d+ /u);
  expect(sentVerdicts().at(-1)).toMatchObject({ text: 'Ask for the whole study.', item: 'stored-1' });

  await user.click(first.getByRole('button', { name: 'Withdraw the note' }));
  await expect.poll(() => first.queryByText('Ask for the whole study.')).toBeNull();
  expect(sentVerdicts().at(-1)).toMatchObject({ subject: 'value/offering', text: null, item: 'stored-1' });
});

it('The form is opened and closed by its button, left with Escape, and sends no note without words', async () => {
  const { user } = await openReview();
  const button = row().getByRole('button', { name: `Note on ${QUESTION}` });
  await user.click(button);
  expect(row().getByRole('textbox', { name: 'Note' })).toBeTruthy();
  await user.click(button);
  expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  await user.click(button);
  await user.type(field(), '   {Control>}{Enter}{/Control}');
  expect(row().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  await user.click(button);
  await user.type(field(), 'Not meant.');
  await user.click(row().getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  expect(sentVerdicts()).toEqual([]);
});

it('A note that is being stored says so and cannot be changed yet', async () => {
  const stored = Promise.withResolvers<null>();
  const { user } = await openReview({
    answers: { 'POST /decks/:deck/verdicts': (call) => stored.promise.then(() => storedVerdict(call)) },
  });
  await user.click(row().getByRole('button', { name: `Note on ${QUESTION}` }));
  await user.type(field(), 'Slow.');
  await user.click(row().getByRole('button', { name: 'Save' }));
  await row().findByText('Ann Archer, saving …');
  expect(row().queryByRole('button', { name: 'Change the note' })).toBeNull();
  stored.resolve(null);
  await row().findByRole('button', { name: 'Change the note' });
  expect(row().queryByText('Ann Archer, saving …')).toBeNull();
});

it('A note that is refused is taken back, with the reason of the API and what to do', async () => {
  const { user } = await openReview({
    answers: { 'POST /decks/:deck/verdicts': problem(403, 'forbidden', 'A viewer says nothing.', 'Ask for a role.') },
  });
  await user.click(row().getByRole('button', { name: `Note on ${QUESTION}` }));
  await user.type(field(), 'Refused.');
  await user.click(row().getByRole('button', { name: 'Save' }));
  expect((await screen.findAllByText('A viewer says nothing.')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('Ask for a role.').length).toBeGreaterThan(0);
  expect(row().queryByText('Refused.')).toBeNull();
});

it('Notes on an answer stand in its chapter, and where one is written elsewhere there as well', async () => {
  const history = said(
    { kind: 'note', subject: 'question/solution_description', text: 'Seen at the fair.' },
    { kind: 'note', subject: 'question/solution_description', text: 'Withdrawn long ago.' },
    { kind: 'note', subject: 'question/solution_description', text: null, item: 'said-2', withdrawn: true },
  );
  const { user } = await openReview({ history });
  const question = 'What is the solution, and how does it work?';
  expect(rowIn('Solution approach', question).getByText('Seen at the fair.')).toBeTruthy();
  expect(screen.queryByText('Withdrawn long ago.')).toBeNull();
  const strength = rowIn('Strengths', question);
  expect(strength.queryByText('Seen at the fair.')).toBeNull();
  await user.click(strength.getByText(`Solution approach: ${question}`));
  await user.keyboard('n');
  expect(strength.getByText('Seen at the fair.')).toBeTruthy();
  await user.keyboard('Here, too.{Meta>}{Enter}{/Meta}');
  await rowIn('Solution approach', question).findByText('Here, too.');
  expect(sentVerdicts()).toMatchObject([{ subject: 'question/solution_description', text: 'Here, too.' }]);
});

it('Without a statement the key writes a note on the slide that is shown', async () => {
  const { user } = await openReview({ search: '?slide=2' });
  await user.keyboard('n');
  const pane = within(part('Slides'));
  await user.type(pane.getByRole('textbox', { name: 'Note' }), 'A good slide.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await pane.findByText('A good slide.');
  expect(sentVerdicts()).toMatchObject([{ kind: 'note', subject: 'slide/2' }]);
});

it('A note is offered and shown in German', async () => {
  const history = said({ kind: 'note', subject: 'question/target_problem', text: 'Studie?' });
  await openReview({ history, language: 'de' });
  expect(row().getByText('Studie?')).toBeTruthy();
  expect(row().getByText(/^Ben Baker, 28\.11\.2026/u)).toBeTruthy();
  for (const name of [`Notiz zu ${QUESTION}`, 'Notiz ändern', 'Notiz zurücknehmen']) {
    expect(row().getByRole('button', { name })).toBeTruthy();
  }
});

it('What is read again after a change of the deck does not show a note twice', async () => {
  const { user, queries } = await openReview();
  await user.click(row().getByRole('button', { name: `Note on ${QUESTION}` }));
  await user.type(field(), 'Once.');
  await user.click(row().getByRole('button', { name: 'Save' }));
  await row().findByRole('button', { name: 'Change the note' });
  const [call] = callsOf('POST /decks/:deck/verdicts');
  if (call !== undefined) answerApi({ 'GET /decks/:deck/verdicts': { items: [storedVerdict(call)] } });
  await queries.invalidateQueries();
  expect(row().getAllByText('Once.')).toHaveLength(1);
});
