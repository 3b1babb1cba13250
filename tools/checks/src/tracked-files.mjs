import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_BYTES = 4 * 1024 * 1024;
/** Git's output of a large repository. */
const MAX_BUFFER = 1024 * 1024 * 1024;

const git = (root, ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_BUFFER, stdio: ['ignore', 'pipe', 'ignore'] });

/** Pictures, sounds and the like hold a NUL; they are not read. */
const isText = (bytes) => !bytes.subarray(0, 8192).includes(0);

/** Every text file that git keeps, as `{ path, text }`; undefined where there is no git or no repository. */
export function trackedFiles(root) {
  if (!existsSync(join(root, '.git'))) return undefined;
  let names;
  try {
    names = git(root, 'ls-files', '-z').split('\0').filter(Boolean);
  } catch {
    return undefined;
  }
  return names.flatMap((path) => {
    const file = join(root, path);
    if (!existsSync(file) || !statSync(file).isFile() || statSync(file).size > MOST_BYTES) return [];
    const bytes = readFileSync(file);
    return isText(bytes) ? [{ path, text: bytes.toString('utf8') }] : [];
  });
}

/** Every text that git ever kept, as `{ path, text, commit }` with the first path that it had. Reads one at a time. */
export function* pastFiles(root) {
  const seen = new Set();
  for (const line of git(root, 'rev-list', '--all', '--objects').split('\n')) {
    const [id, ...rest] = line.split(' ');
    const path = rest.join(' ');
    if (!id || path === '' || seen.has(id) || !/\.[\w-]+$|^[^/.]+$/.test(path)) continue;
    seen.add(id);
    let bytes;
    try {
      bytes = execFileSync('git', ['cat-file', 'blob', id], { cwd: root, maxBuffer: MAX_BUFFER, stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      // A folder, not a file.
      continue;
    }
    if (bytes.length <= MOST_BYTES && isText(bytes)) yield { path, text: bytes.toString('utf8'), id };
  }
}
