/** The slide beside the findings: which one is shown, its picture and words, and all of them in small. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { pageSize } from '../../../../web/review/viewer/page-size.ts';
import { callsOf } from '../../support/api.ts';
import { documents } from '../../support/documents.ts';
import { recordedReport, DECK, openReview, part, spoken } from '../deck-page.ts';

const pane = (): ReturnType<typeof within> => within(part('Slides'));
const stage = (): Element => part('Slides').querySelector('[data-stage]') ?? document.body;
const slides = () => documents.slides().items;

it('Buttons and arrow keys go from slide to slide, and end at the first and the last one', async () => {
  const { user, address } = await openReview();
  const button = (name: string): HTMLElement => pane().getByRole('button', { name });
  await pane().findByRole('img', { name: 'Slide 1: Pulsara' });
  expect(pane().getByText('Slide 1 of 8')).toBeTruthy();
  expect(button('Previous slide (←)').hasAttribute('disabled')).toBe(true);
  await user.click(button('Next slide (→)'));
  await expect.poll(spoken).toBe('Slide 2');
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
  await expect.poll(spoken).toBe('Slide 3');
  // A link to the page opens here.
  await expect.poll(address).toBe(`/decks/${DECK.id}?slide=3`);
  await user.keyboard('{ArrowRight>9/}');
  await expect.poll(spoken).toBe('Slide 8');
  expect(button('Next slide (→)').hasAttribute('disabled')).toBe(true);
});

it('The words of the shown slide lie over its picture, line by line', async () => {
  await openReview({ search: '?slide=2' });
  await expect.poll(() => stage().querySelectorAll('[data-text-layer] p').length).toBe(5);
  const lines = [...stage().querySelectorAll('[data-text-layer] p')].map(({ textContent }) => textContent.trim());
  expect(lines[1]).toBe('Heart failure patients are readmitted within 30 days in 24 % of cases.');
  expect(callsOf('GET /decks/:deck/slides/:slide/words')[0]?.params).toEqual({ deck: DECK.id, slide: '2' });
  const word = stage().querySelector<HTMLElement>('[data-text-layer] span');
  expect([word?.style.left, word?.style.top]).toEqual(['40px', '33.2px']);
});

it('The small pictures lead to their slides and mark the one that is shown', async () => {
  const { user } = await openReview();
  const strip = within(await pane().findByRole('list', { name: 'Slides' }));
  const small = await strip.findByRole('button', { name: /^Slide 8, .*warning/u });
  await user.click(small);
  await expect.poll(spoken).toBe('Slide 8');
  expect(small.getAttribute('aria-current')).toBe('true');
  expect(strip.getAllByRole('button', { current: true })).toHaveLength(1);
});

it('On a phone the slide can be hidden, and the small pictures are left out, in German', async () => {
  const { user } = await openReview({ language: 'de', width: 'phone' });
  const german = within(part('Folien'));
  await german.findByRole('img', { name: /^Folie 1/u });
  expect(german.queryByRole('list', { name: 'Folien' })).toBeNull();
  const hide = german.getByRole('button', { name: 'Folie ausblenden' });
  expect(hide.getAttribute('aria-expanded')).toBe('true');
  await user.click(hide);
  expect(german.queryByRole('img', { name: /^Folie 1/u })).toBeNull();
  expect(german.queryByRole('button', { name: 'Vergrößern (+)' })).toBeNull();
  await user.click(german.getByRole('button', { name: 'Folie einblenden' }));
  expect(await german.findByRole('img', { name: /^Folie 1/u })).toBeTruthy();
});

it('A slide without a picture says why', async () => {
  const items = slides().map((slide) => ({ ...slide, imageUrl: null, thumbnailUrl: null }));
  const { queries } = await openReview({ answers: { 'GET /decks/:deck/slides': { items } } });
  expect(await pane().findByText('There is no picture of this slide.')).toBeTruthy();
  const { analysisId } = recordedReport();
  queries.setQueryData(['of-deck', DECK.id, 'report', analysisId], { ...recordedReport(), finishedAt: null });
  expect(await pane().findByText('This slide is not drawn yet.')).toBeTruthy();
});

it('A picture whose page is not known has no words over it', async () => {
  const items = slides().map((slide) => ({ ...slide, widthPt: null, heightPt: null }));
  await openReview({ search: '?slide=2', answers: { 'GET /decks/:deck/slides': { items } } });
  await pane().findByRole('img', { name: /^Slide 2/u });
  await expect.poll(() => callsOf('GET /decks/:deck/slides/:slide/words')).toHaveLength(1);
  expect(stage().querySelector('[data-text-layer]')).toBeNull();
});

it('The size of a page is that of its points, else of its pixels', () => {
  const [slide] = slides();
  expect(pageSize(slide)).toEqual({ width: 960, height: 540 });
  if (slide === undefined) throw new Error('no recorded slide');
  expect(pageSize({ ...slide, widthPt: null, widthPx: 800, heightPx: 600 })).toEqual({ width: 600, height: 450 });
  expect(pageSize({ ...slide, widthPt: null, widthPx: null })).toEqual(pageSize(undefined));
});

it('What is known of a page without text stands under it', async () => {
  const report = recordedReport();
  const [first, ...others] = report.slides;
  if (first?.page === undefined || first.page === null) throw new Error('no recorded page');
  const page = { ...first.page, source: 'none' as const, ocr: 'none' as const, readableShare: null, blank: false };
  await openReview({ report: { ...report, slides: [{ ...first, page }, ...others] } });
  expect(await pane().findByText('No text of this page could be read.')).toBeTruthy();
  expect(screen.getByText('Choose a claim: its words are lit on the slide.')).toBeTruthy();
});
