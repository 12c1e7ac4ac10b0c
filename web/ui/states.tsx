/** What stands in place of content: while it loads, when there is none, when it could not be read. */
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { RequestError } from '../request.ts';
import { commonWords } from '../words/common.ts';
import { useWords } from '../words/language.ts';
import { Button, buttonClasses } from './button.tsx';

/** While something loads. */
export function Loading() {
  const words = useWords(commonWords);
  return (
    <p role="status" className="p-8 text-center text-soft">
      {words.loading}
    </p>
  );
}

/** When there is nothing, with what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-3 px-6 py-12 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </div>
  );
}

/** The way back to the list of decks. */
export function ToDecks() {
  const words = useWords(commonWords);
  return (
    <Link to="/" className={buttonClasses()}>
      {words.toDecks}
    </Link>
  );
}

/** Until something was read: that it loads, or why it could not be read. */
export const NotRead = ({ error, refetch }: { readonly error: Error | null; readonly refetch: () => unknown }) =>
  error === null ? <Loading /> : <Failed error={error} onRetry={() => void refetch()} />;

/** When something could not be read: why, and a way to try again. */
export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const words = useWords(commonWords);
  const isOffline = error instanceof RequestError && error.code === 'offline';
  const hint = error instanceof RequestError ? error.hint : null;
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-center gap-3 px-6 py-12 text-center">
      <TriangleAlert size={28} className="text-bad" aria-hidden />
      <p className="font-medium">{isOffline ? words.offline : error.message}</p>
      {hint === null ? null : <p className="text-soft">{hint}</p>}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{words.tryAgain}</Button>}
    </div>
  );
}
