/** Patterns of credentials. Each pattern names what it finds in group `what` where a part of it tells more. */
const credentials = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['a key of a cloud', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b/],
  ['a token of a forge', /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{40,}|\bglpat-[\w-]{20,}/],
  ['a token of a registry', /\bnpm_[A-Za-z0-9]{36}\b|:_(?:authToken|password|auth)\s*=\s*[^\s$]/],
  ['a token of a service', /\bxox[abprs]-[\w-]{10,}|\bsk-[A-Za-z0-9_-]{20,}|\bSG\.[\w-]{20,}\.[\w-]{20,}/],
  ['a signed token', /\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}/],
  ['a key of Age or WireGuard', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}|\bPrivateKey\s*=\s*[A-Za-z0-9+/]{43}=/],
];

/** A text after a name that promises a secret: `password: '…'`, `TOKEN="…"`. */
const assignment =
  /(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|credential)\w*["']?\s*(?:[:=]|=>)\s*["'`]([A-Za-z0-9+/=_-]{24,})["'`]/gi;
/** Bits per character from which on a text was made by chance and not by somebody; there are fewer of them in hexadecimal digits. */
const CHANCE_BITS = 4.1;
const CHANCE_BITS_HEX = 3.2;
const HEX = /^[0-9a-f]{32,}$/i;

/** Machines that only somebody's own network knows, and folders that only somebody's own machine has. */
const places = [
  ['a host of a private network', /https?:\/\/[\w.-]+\.(?:internal|corp|intra|lan)(?![\w.])/i],
  ['a folder of a machine', /(?<![\w.])\/(?:work\/(?:main|shared)|root|Users\/\w+)\/[\w.]|\b[A-Z]:\\Users\\\w+/],
];

/** Hosts that the lockfile may fetch from. */
const REGISTRY = 'registry.npmjs.org';

/** Entropy of a text, bits per character. */
export function chanceOf(text) {
  const counts = new Map();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

const isLockfile = (path) => /(?:^|\/)(?:pnpm-lock\.yaml|package-lock\.json|yarn\.lock)$/.test(path);

/**
 * Secrets, private hosts and folders of machines in a file: answers `{ path, line, text }` for each.
 * @param allowed texts by path that are none although they look so
 */
export function secretFaults({ path, text }, allowed = {}) {
  if (/(?:^|\/)\.npmrc$/.test(path)) return [{ path, line: 1, text: 'a configuration of a registry does not belong here' }];
  const faults = isLockfile(path) ? lockfileFaults(path, text) : [];
  const known = allowed[path] ?? [];
  for (const [index, content] of text.split('\n').entries()) {
    // Hashes of a lockfile are made by chance and no secret; what else stands in it is looked at.
    const what = isLockfile(path)
      ? patternIn(content, [...credentials, ...places])
      : (patternIn(content, [...credentials, ...places]) ?? assignedIn(content));
    if (what !== undefined && !known.some((one) => content.includes(one)))
      faults.push({ path, line: index + 1, text: `${what} in the repository` });
  }
  return faults;
}

function patternIn(line, patterns) {
  return patterns.find(([, pattern]) => pattern.test(line))?.[0];
}

function assignedIn(line) {
  const values = [...line.matchAll(assignment)].map(([, value]) => value);
  return values.some((value) => chanceOf(value) >= (HEX.test(value) ? CHANCE_BITS_HEX : CHANCE_BITS))
    ? 'what looks like a secret'
    : undefined;
}

function lockfileFaults(path, text) {
  return [...text.matchAll(/https?:\/\/([\w.-]+)/g)]
    .filter(([, host]) => host !== REGISTRY)
    .map(({ 1: host, index }) => ({ path, line: text.slice(0, index).split('\n').length, text: `the lockfile fetches from ${host}` }));
}
