import { createHash } from 'node:crypto';
import { create } from 'xmlbuilder2';

/** An element of an answer: its attributes, its children by name, its text. */
export interface Element {
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly children: readonly Element[];
}

interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
  getAttribute?(name: string): string | null;
}
const ELEMENT = 1;

const elementOf = (node: DomNode): Element => ({
  name: node.nodeName,
  id: node.getAttribute?.('id') ?? '',
  text: node.textContent ?? '',
  children: [...node.childNodes].filter((child) => child.nodeType === ELEMENT).map(elementOf),
});

/** The text of an element's first child of a name; empty when there is none. */
export const textOf = (element: Element, name: string): string => element.children.find((child) => child.name === name)?.text ?? '';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A small client of the native API's XML form, written from its description: a session by password, then one call after the other. */
export class NativeXmlClient {
  #token = '';

  constructor(
    readonly url: string,
    readonly version: string,
  ) {}

  /** Calls an action and answers the elements below the root. @throws Error with the code and text of an error */
  async call(action: string, params: Readonly<Record<string, string>> = {}): Promise<readonly Element[]> {
    const query = new URLSearchParams({ action, ...(this.#token === '' ? {} : { auth: this.#token }), ...params });
    const answer = await fetch(`${this.url}/server/xml.server.php`, { method: 'POST', body: query });
    const root = elementOf(create(await answer.text()).root().node);
    const error = root.children.find(({ name }) => name === 'error');
    if (error) throw new Error(`${action}: ${error.text.trim()}`);
    return root.children;
  }

  /** The items of a list. */
  async list(action: string, kind: string, params: Readonly<Record<string, string>> = {}): Promise<readonly Element[]> {
    return (await this.call(action, params)).filter(({ name }) => name === kind);
  }

  /** Opens a session and answers what the server says of itself, by name. */
  async handshake(user: string, password: string): Promise<ReadonlyMap<string, string>> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const auth = sha256(timestamp + sha256(password));
    const told = new Map(
      (await this.call('handshake', { user, timestamp, auth, version: this.version })).map(({ name, text }) => [name, text]),
    );
    this.#token = told.get('auth') ?? '';
    return told;
  }
}
