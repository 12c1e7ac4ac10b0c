/** Every deck of the corpus of attacks, through the render process, the built-in reader, and a model that obeys. */
import { it } from 'vitest';
import { heldOutDecks, seenDecks } from '../../fixtures/attacks/decks.ts';
import { attackReader } from './attacked.ts';

const { expectNoEffect } = attackReader();

it.each([...seenDecks(), ...heldOutDecks()])('the attack changes nothing and is reported: $name', expectNoEffect);
