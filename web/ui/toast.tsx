/** Short messages at the edge of the page: what was done, and what could not be done. */
import * as Radix from '@radix-ui/react-toast';
import { X } from 'lucide-react';
import { RequestError } from '../request.ts';
import { createStore, useValue } from '../store.ts';
import { commonWords } from '../words/common.ts';
import { currentLanguage, useWords } from '../words/language.ts';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly hint: string | null;
  readonly bad: boolean;
  /** What can be done about it, such as undo. */
  readonly action?: ToastAction;
}

/** A button of a message. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const SHORT_MS = 5000;
/** For what has to be read or may be undone. */
const LONG_MS = 15_000;

const toasts = createStore<readonly Toast[]>([]);
let nextId = 1;

const add = (toast: Omit<Toast, 'id'>): void => toasts.set([...toasts.get(), { ...toast, id: nextId++ }]);

/** Says that something was done, with a way to undo it where there is one. */
export const tell = (text: string, action?: ToastAction): void =>
  add({ text, hint: null, bad: false, ...(action === undefined ? {} : { action }) });

/** Says why something could not be done. For `onError` of a mutation. */
export function tellError(error: Error): void {
  const isOffline = error instanceof RequestError && error.code === 'offline';
  const text = isOffline ? commonWords[currentLanguage()].offline : error.message;
  add({ text, hint: error instanceof RequestError ? error.hint : null, bad: true });
}

/** Where the messages are shown; once in the app. */
export function Toasts() {
  const words = useWords(commonWords);
  const shown = useValue(toasts);
  return (
    <Radix.Provider label={words.message} swipeDirection="right">
      {shown.map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.bad ? 'foreground' : 'background'}
          duration={toast.bad || toast.action !== undefined ? LONG_MS : SHORT_MS}
          onOpenChange={(open) => (open ? undefined : toasts.set(toasts.get().filter(({ id }) => id !== toast.id)))}
          className={classes(
            'flex items-start gap-3 rounded-md border bg-panel p-3 text-sm shadow-lg',
            toast.bad ? 'border-bad' : 'border-line',
          )}
        >
          <div className="min-w-0 grow">
            <Radix.Title className={classes('font-medium break-words', toast.bad && 'text-bad')}>
              {toast.text}
            </Radix.Title>
            {toast.hint === null ? null : (
              <Radix.Description className="mt-1 break-words text-soft">{toast.hint}</Radix.Description>
            )}
          </div>
          {toast.action === undefined ? null : (
            <Radix.Action asChild altText={toast.action.label}>
              <Button look="quiet" className="-my-1 text-accent" onClick={toast.action.run}>
                {toast.action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton label={words.close} className="-m-1">
              <X size={16} aria-hidden />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-0 bottom-0 z-50 [:root:has([data-bottom-bar])_&]:bottom-16 flex w-[min(26rem,100vw)] flex-col gap-2 p-4" />
    </Radix.Provider>
  );
}
