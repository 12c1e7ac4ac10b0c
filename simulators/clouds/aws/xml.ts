/** Answers in XML. A tree is an object by element name; `undefined` leaves an element out, a list repeats it. */
import { XMLBuilder } from 'fast-xml-parser';

export type XmlTree = string | number | boolean | undefined | readonly XmlTree[] | { readonly [name: string]: XmlTree };

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: true });

export const xmlResponse = (document: XmlTree, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(document)}`, {
    status,
    headers: { 'content-type': 'text/xml;charset=UTF-8' },
  });

/** A set of EC2: each element is an `item`. */
export const setOf = <Item>(items: readonly Item[], tree: (item: Item) => XmlTree): XmlTree => ({
  item: items.map(tree),
});

/** A time as AWS writes it. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
