import { listNode, type ComingList, type ListNode, type Node } from './node.js';

const isKind =
  <K extends 'list' | 'coming'>(kind: K) =>
  (node: Node | undefined): node is Extract<Node, { kind: K }> =>
    node !== null && typeof node === 'object' && node.kind === kind;

async function* oneAfterTheOther(lists: readonly ReturnType<ComingList['json']>[]): AsyncGenerator<Iterable<string>> {
  for (const items of lists) {
    if (Symbol.iterator in items) yield items;
    else yield* items;
  }
}

/** Several lists as one: all of them at hand, or all of them read while they are written. */
export const concatLists = (nodes: readonly (Node | undefined)[]): ListNode | ComingList => {
  const coming = nodes.filter(isKind('coming'));
  if (coming.length === 0) return listNode(nodes.filter(isKind('list')).flatMap(({ items }) => items));
  return {
    kind: 'coming',
    isEmpty: coming.every(({ isEmpty }) => isEmpty),
    isLong: coming.some(({ isLong }) => isLong),
    json: () => oneAfterTheOther(coming.map((list) => list.json())),
    xml: (name, style) => oneAfterTheOther(coming.map((list) => list.xml(name, style))),
  };
};
