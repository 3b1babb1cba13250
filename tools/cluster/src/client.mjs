import { createHash } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** A client of the native and the compatibility API that repeats nothing. */
export class Client {
  #auth = '';

  #fetch;

  /**
   * @param {() => string} address where the gateways are reached, asked for each request
   * @param {{ user?: string, password: string, fetch?: typeof fetch }} login `fetch`: how they are reached
   */
  constructor(address, { user = 'admin', password, fetch: reach = fetch }) {
    this.address = address;
    this.user = user;
    this.password = password;
    this.#fetch = reach;
  }

  /** Opens a session of the native API. */
  async login() {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const auth = sha256(timestamp + sha256(this.password));
    this.#auth = (await this.native('handshake', { auth, timestamp, user: this.user, version: '8.0.0' })).auth;
  }

  get session() {
    return this.#auth;
  }

  /** A request, its answer whatever it is. @param {Record<string, string>} query */
  request(path, query = {}, init = {}) {
    return this.#fetch(`${this.address()}${path}?${new URLSearchParams(query)}`, { signal: AbortSignal.timeout(60_000), ...init });
  }

  /** A native action. @throws Error with the answer's own error */
  async native(action, query = {}, init = {}) {
    const response = await this.request('/server/json.server.php', { action, auth: this.#auth, ...query }, init);
    const answer = await response.json();
    if (answer.error) throw new Error(`${action}: ${answer.error.errorCode} ${answer.error.errorMessage}`);
    return answer;
  }

  /** An operation of the compatibility API. @throws Error with the answer's own error */
  async compat(operation, query = {}, init = {}) {
    const response = await this.request(`/rest/${operation}.view`, { ...this.#login(), f: 'json', ...query }, init);
    const { 'subsonic-response': answer } = await response.json();
    if (answer.status !== 'ok') throw new Error(`${operation}: ${answer.error?.code} ${answer.error?.message}`);
    return answer;
  }

  /** The bytes of a song, in a form that is asked for or as they are. */
  async stream(id, query = {}, init = {}) {
    const response = await this.request('/rest/stream.view', { ...this.#login(), id, ...query }, init);
    const bytes = (await response.arrayBuffer()).byteLength;
    return { status: response.status, type: response.headers.get('content-type') ?? '', bytes };
  }

  /** All songs, as the compatibility API tells of them. */
  async songs() {
    const all = { query: '', songCount: '500', artistCount: '0', albumCount: '0' };
    return (await this.compat('search3', all)).searchResult3.song ?? [];
  }

  #login() {
    return { u: this.user, p: this.password, v: '1.16.1', c: 'cluster' };
  }
}
