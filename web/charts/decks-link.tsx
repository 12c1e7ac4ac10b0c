/** A part of a chart that leads to the decks it counts. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DecksSearch } from '../decks/search.ts';

/** The part; only drawn where `search` is undefined, because the list cannot show its decks. */
export const DecksLink = ({
  search,
  className,
  ...rest
}: {
  readonly search: DecksSearch | undefined;
  readonly className: string;
  readonly title?: string;
  readonly children: ReactNode;
}) =>
  search === undefined ? (
    <span className={className} {...rest} />
  ) : (
    <Link to="/" search={search} className={`${className} hover:bg-raised`} {...rest} />
  );
