import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const textOf = (path) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** The largest message must be the same wherever NATS is set up: a command that one takes is lost on another. */
it.each(['deploy/nats.conf', 'helm/continuo/templates/nats/nats.yaml', 'docs/operate/install.md'])('%s has messages of 8 MB', (path) => {
  expect(/max_payload: (\S+)/.exec(textOf(path))?.[1]).toBe('8MB');
});
