/** Controls that pages are made of, where a page shows only a part of what they do. */
import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Button, IconButton } from '../../../web/ui/button.tsx';
import { copyText } from '../../../web/ui/copy.ts';
import { useMedia } from '../../../web/ui/media.ts';
import { ProgressBar } from '../../../web/ui/progress.tsx';
import { type Found, SearchChoice } from '../../../web/ui/search-choice.tsx';
import { Tooltip, TooltipProvider } from '../../../web/ui/tooltip.tsx';

afterEach(() => vi.restoreAllMocks());

const FRUITS = ['Apple', 'Banana', 'Cherry'];

/** A search among fruits; of bananas there are none left. `isCurrent`: the answer to what is typed is there. */
function Fruits({
  isCurrent = true,
  onChoose,
}: {
  readonly isCurrent?: boolean;
  readonly onChoose: (fruit: string) => void;
}) {
  const useChoices = (text: string): Found<string> => ({
    isCurrent,
    choices: FRUITS.filter((fruit) => fruit.toLowerCase().includes(text)).map((fruit) => ({
      id: fruit,
      value: fruit,
      label: fruit,
      ...(fruit === 'Banana' ? { reason: 'none left' } : {}),
    })),
  });
  return <SearchChoice label="Fruit" nothing="No fruit found." useChoices={useChoices} onChoose={onChoose} />;
}
const selected = (): string | null => screen.getByRole('option', { selected: true }).textContent;

it('Arrow keys move through what was found, and Enter chooses what can be chosen', async () => {
  const choose = vi.fn<(fruit: string) => void>();
  const user = userEvent.setup();
  render(<Fruits onChoose={choose} />);
  expect(selected()).toBe('Apple');
  await user.keyboard('{ArrowDown}');
  expect(selected()).toBe('Banananone left');
  expect(screen.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('option', { selected: true }).id,
  );
  await user.keyboard('{Enter}');
  expect(choose).not.toHaveBeenCalled();
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(choose.mock.calls).toEqual([['Cherry']]);
  await user.hover(screen.getByRole('option', { name: 'Apple' }));
  expect(selected()).toBe('Apple');
  await user.keyboard('xyz');
  expect(screen.getByRole('status').textContent).toBe('No fruit found.');
});

it('Enter waits for the answer to what was typed, and typing on takes it back', async () => {
  const choose = vi.fn<(fruit: string) => void>();
  const user = userEvent.setup();
  const { rerender } = render(<Fruits isCurrent={false} onChoose={choose} />);
  await user.keyboard('ch{Enter}');
  expect(choose).not.toHaveBeenCalled();
  rerender(<Fruits onChoose={choose} />);
  expect(choose.mock.calls).toEqual([['Cherry']]);
  rerender(<Fruits isCurrent={false} onChoose={choose} />);
  await user.keyboard('{Enter}e');
  rerender(<Fruits onChoose={choose} />);
  expect(choose).toHaveBeenCalledOnce();
});

it('A text is copied, also where the browser does not offer its clipboard', async () => {
  const copied: string[] = [];
  const writeText = vi.fn<(text: string) => Promise<void>>(async (text) => void copied.push(text));
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as never);
  expect(await copyText('first')).toBe(true);
  writeText.mockRejectedValue(new DOMException('not allowed'));
  // What is selected in the page is what the old command copies.
  const command = vi.fn<() => boolean>(() => {
    const area = document.querySelector('textarea');
    copied.push(area?.value ?? '');
    return true;
  });
  Object.assign(document, { execCommand: command });
  expect(await copyText('second')).toBe(true);
  expect(copied).toEqual(['first', 'second']);
  expect(document.querySelector('textarea')).toBeNull();
  command.mockReturnValue(false);
  expect(await copyText('third')).toBe(false);
  writeText.mockRejectedValue(new TypeError('broken'));
  await expect(copyText('fourth')).rejects.toThrow('broken');
});

it('Progress that is not known has no value', () => {
  const { rerender } = render(<ProgressBar label="Upload" share={0.456} />);
  expect(screen.getByRole('progressbar', { name: 'Upload' }).getAttribute('aria-valuenow')).toBe('46');
  rerender(<ProgressBar label="Upload" share={null} />);
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
});

it('A button that is only a picture has a name, and a tooltip explains it', async () => {
  render(
    <TooltipProvider>
      <Tooltip text="The machine says 3">
        <Button>7</Button>
      </Tooltip>
      <IconButton label="More">…</IconButton>
    </TooltipProvider>,
  );
  expect(screen.getByRole('button', { name: 'More' }).title).toBe('More');
  fireEvent.focus(screen.getByRole('button', { name: '7' }));
  expect((await screen.findByRole('tooltip')).textContent).toBe('The machine says 3');
});

it('A page follows the width of its window', () => {
  const media = Object.assign(new EventTarget(), { matches: false });
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue(media as never);
  function Wide() {
    const [query] = useState('(min-width: 1000px)');
    return useMedia(query) ? 'wide' : 'narrow';
  }
  const { container } = render(<Wide />);
  expect(container.textContent).toBe('narrow');
  media.matches = true;
  act(() => void media.dispatchEvent(new Event('change')));
  expect(container.textContent).toBe('wide');
});
