/** The domain of a deck's company: its own, or none. */
import { expect, it } from 'vitest';
import { domainOf } from '../../../domain/companies/domain-of.ts';
import { ownAddresses } from '../../../domain/companies/addresses.ts';

it.each([
  ['its e-mail address', ['Halmwerk', 'Kontakt: anna@halmwerk.de'], 'Halmwerk GmbH', 'halmwerk.de'],
  ['its web site', ['Halmwerk', 'www.halmwerk.com/team'], 'Halmwerk', 'halmwerk.com'],
  ['a host below it', ['hello@mail.halmwerk.co.uk'], 'Halmwerk', 'halmwerk.co.uk'],
  ['a country', ['https://halmwerk.com.au'], 'Halmwerk', 'halmwerk.com.au'],
  ['a hosting service', ['halmwerk.vercel.app'], 'Halmwerk', 'halmwerk.vercel.app'],
  ['words of the name', ['hi@halmwerk.de'], 'Project Halmwerk', 'halmwerk.de'],
  ['more than the name', ['hi@gethalmwerk.com'], 'Halmwerk', 'gethalmwerk.com'],
  ['its initials', ['hi@vha.org'], 'Virtual Hospitals Africa', 'vha.org'],
  ['an ampersand as a word', ['hi@strohundlehm.de'], 'Stroh & Lehm GmbH', 'strohundlehm.de'],
  ['accents', ['hi@mullerhaus.de'], 'Müllerhaus', 'mullerhaus.de'],
])('is known by %s', (_what, pages, name, domain) => expect(domainOf(pages, name)).toBe(domain));

it('is the one that most pages have', () => {
  const pages = ['halmwerk.com', 'halmwerk.de', 'halmwerk.de', 'hi@halmwerk.com hi@halmwerk.com'];
  expect(domainOf([...pages, 'www.halmwerk.de'], 'Halmwerk')).toBe('halmwerk.de');
  // Of two that are written as often, the one with e-mail addresses.
  expect(domainOf(pages, 'Halmwerk')).toBe('halmwerk.com');
});

it.each([
  ['a customer', ['Kunden: hello@bavaria-clinics.de', 'www.bavaria-clinics.de']],
  ['a mail provider', ['halmwerk@gmail.com']],
  ['a social network', ['www.linkedin.com/company/halmwerk']],
  ['a university', ['anna@tum.edu', 'anna@halmwerk.ac.uk']],
  ['an article', ['https://news.example.com/2024/05/halmwerk-raises-money']],
  ['nothing', ['We build houses of straw.']],
])('is not known by %s', (_what, pages) => expect(domainOf(pages, 'Halmwerk')).toBeNull());

it('of a deck without a name is the one that most pages have, with an e-mail address', () => {
  expect(domainOf(['www.halmwerk.de', 'anna@halmwerk.de'], null)).toBe('halmwerk.de');
  expect(domainOf(['anna@halmwerk.de'], null)).toBeNull();
  expect(domainOf(['www.halmwerk.de', 'www.halmwerk.de'], null)).toBeNull();
  expect(domainOf(['anna@halmwerk.de bob@other.de', 'anna@halmwerk.de bob@other.de'], null)).toBeNull();
});

it.each([
  ['hello@mail.acme.co.uk', 'acme.co.uk'],
  ['www.shop.acme.com', 'acme.com'],
  ['https://www.acme.de/a', 'acme.de'],
  ['acme.github.io', 'acme.github.io'],
  ['www.ACME.io', 'acme.io'],
  ['hi@acme.me.uk', 'acme.me.uk'],
  ['hi@acme.co.jp', 'acme.co.jp'],
  ['hi@acme.or.jp', 'acme.or.jp'],
])('%s is registered as %s', (text, domain) =>
  expect(ownAddresses(text).map((address) => address.domain)).toEqual([domain]),
);
