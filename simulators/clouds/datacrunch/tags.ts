/** Tags belong to the project: the same key and value have the same id everywhere. */
import { drawUuid } from '../core/random.ts';
import type { Tag } from '../core/state.ts';
import type { Simulation } from './account.ts';
import { ApiError } from './errors.ts';

const MOST_TAGS = 10;
/** Digits in the id of a tag: ids are short at the provider. */
const TAG_DIGITS = 12;

/** The tag for a key (lower-cased) and value. */
export function tagFor({ account, cloud }: Simulation, key: string, value = ''): Tag {
  const lower = key.toLowerCase();
  const id = (account.tags[`${lower}=${value}`] ??=
    `tag_${drawUuid(cloud.state.random).replaceAll('-', '').slice(-TAG_DIGITS)}`);
  return { id, key: lower, value };
}

/** @throws ApiError when there are too many */
export function tagsFor(
  sim: Simulation,
  wanted: readonly { readonly key: string; readonly value?: string | undefined }[],
): Tag[] {
  if (wanted.length > MOST_TAGS)
    throw new ApiError('invalid_request', `tags must contain no more than ${MOST_TAGS} elements`);
  return wanted.map((t) => tagFor(sim, t.key, t.value));
}

/** Adds a tag to a list in place. @throws ApiError 409 when the key is there, 400 when the list is full */
export function addTag(sim: Simulation, tags: Tag[], key: string, value: string | undefined): Tag {
  const tag = tagFor(sim, key, value);
  if (tags.some((t) => t.key === tag.key)) throw new ApiError('conflict', 'Tag is already linked');
  if (tags.length >= MOST_TAGS) throw new ApiError('invalid_request', 'Tag limit exceeded');
  tags.push(tag);
  return tag;
}

/** Removes a tag by id or key, in place. @throws ApiError 404 */
export function removeTag(tags: Tag[], idOrKey: string): void {
  const index = tags.findIndex((t) => t.id === idOrKey || t.key === idOrKey);
  if (index < 0) throw new ApiError('not_found', 'Tag not found');
  tags.splice(index, 1);
}

/** True when `tags` has every wanted `key` or `key=value`. */
export const hasTags = (tags: readonly Tag[], wanted: readonly string[]): boolean =>
  wanted.every((want) => {
    const at = want.indexOf('=');
    const key = at < 0 ? want : want.slice(0, at);
    return tags.some((t) => t.key === key.toLowerCase() && (at < 0 || t.value === want.slice(at + 1)));
  });
