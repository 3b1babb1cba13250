/** Exchanges the nonce of a kept page in its policy and its text, so that nobody who has seen the page before knows it. */
export const withFreshNonce = async (page: Response): Promise<Response> => {
  const headers = new Headers(page.headers);
  const policy = headers.get('content-security-policy') ?? '';
  const [, old] = /'nonce-([\w-]+)'/.exec(policy) ?? [];
  if (old === undefined) throw new Error('The kept page has no nonce.');
  const fresh = crypto.randomUUID();
  headers.set('content-security-policy', policy.replaceAll(old, fresh));
  for (const ofTransfer of ['content-length', 'content-encoding']) headers.delete(ofTransfer);
  return new Response((await page.text()).replaceAll(old, fresh), { headers });
};

const NOT_SATISFIABLE = 416;
const PARTIAL = 206;

/** The part of a kept file that the header `Range` asks for; all of it without one. */
export const partOf = async (file: Response, range: string | null): Promise<Response> => {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return file;
  const blob = await file.blob();
  const first = from === '' ? Math.max(0, blob.size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? blob.size : Math.min(blob.size, Number(to) + 1);
  const type = file.headers.get('content-type') ?? '';
  if (first >= end) return new Response(null, { status: NOT_SATISFIABLE, headers: { 'content-range': `bytes */${blob.size}` } });
  const headers = {
    'content-type': type,
    'content-length': String(end - first),
    'content-range': `bytes ${first}-${end - 1}/${blob.size}`,
    'accept-ranges': 'bytes',
  };
  return new Response(blob.slice(first, end, type), { status: PARTIAL, headers });
};
