/** What is shown in place of a page that does not exist or cannot be shown. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { leave } from '../leave.ts';
import { asError } from '../request.ts';
import { Empty, Failed, ToDecks } from '../ui/states.tsx';
import { commonWords } from '../words/common.ts';
import { useWords } from '../words/language.ts';

/** A path that no page has. */
export function NotFound() {
  const words = useWords(commonWords);
  return (
    <Empty title={words.notFound}>
      <ToDecks />
    </Empty>
  );
}

/** A page that broke; the frame around it goes on. A file of an older version is gone after an update: loading again brings the new one. */
export function BrokenPage({ error }: ErrorComponentProps) {
  return <Failed error={asError(error)} onRetry={leave.again} />;
}
