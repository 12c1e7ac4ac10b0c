/** The dialog about decks that is open; its code is loaded when the first one is opened. */
import { lazy, Suspense } from 'react';
import { useOpenDialog } from './store.ts';

const DeckDialogs = lazy(async () => ({ default: (await import('./dialogs.tsx')).DeckDialogs }));

/** The dialog; nothing while none is open. */
export function OpenDialog() {
  const dialog = useOpenDialog();
  return dialog === null ? null : (
    <Suspense>
      <DeckDialogs dialog={dialog} />
    </Suspense>
  );
}
