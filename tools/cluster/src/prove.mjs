import { backupProof } from './proofs/backup.mjs';
import { disturbProof } from './proofs/disturb.mjs';
import { firstPlayProof } from './proofs/first-play.mjs';
import { installProof, securityProof } from './proofs/install.mjs';
import { doctorProof, rotateProof } from './proofs/operate.mjs';
import { renderedProof } from './proofs/rendered.mjs';
import { ingressProof } from './proofs/ingress.mjs';
import { kedaProof } from './proofs/keda.mjs';
import { natsLoginProof, postgresLoginProof } from './proofs/logins.mjs';
import { nodeNames } from './nodes.mjs';
import { networkProof } from './proofs/network.mjs';
import { cutOffProof, drainProof, lossProof, placementProof, replacementProof } from './proofs/nodes.mjs';
import { searchProof } from './proofs/search.mjs';
import { scalingProof } from './proofs/scaling.mjs';
import { uninstallProof } from './proofs/uninstall.mjs';
import { upgradeProof } from './proofs/upgrade.mjs';
import { say } from './shell.mjs';

/** In this order: each finds what those before it have left. */
const proofs = [
  installProof,
  securityProof,
  firstPlayProof,
  doctorProof,
  upgradeProof,
  disturbProof,
  rotateProof,
  postgresLoginProof,
  natsLoginProof,
  scalingProof,
  networkProof,
  backupProof,
  uninstallProof,
];

/** On several nodes these, in this order. */
const proofsOfNodes = [
  installProof,
  placementProof,
  firstPlayProof,
  drainProof,
  lossProof,
  cutOffProof,
  replacementProof,
  uninstallProof,
  renderedProof,
];

/** Those that take more than everybody has: half an hour of building KEDA, a quarter of one for Traefik; a Meilisearch. */
const onlyWhenNamed = [kedaProof, ingressProof, searchProof];

/** Runs the proofs that are named, or all, and prints what came of each; 1 when one could not be brought to its end. */
export const prove = async (names) => {
  const usual = nodeNames().length > 1 ? proofsOfNodes : proofs;
  const wanted = names.length > 0 ? names : usual.map(({ name }) => name);
  let code = 0;
  for (const name of wanted) {
    const [proof, ...parts] = name.split(':');
    const { run } = [...proofs, ...proofsOfNodes, ...onlyWhenNamed].find((one) => one.name === proof) ?? {};
    if (!run)
      throw new Error(`there is no proof ${proof}: ${[...new Set([...proofs, ...proofsOfNodes])].map((one) => one.name).join(', ')}`);
    say(`${name} …`);
    try {
      process.stdout.write(`${name} ${JSON.stringify(await run(parts.length > 0 ? parts : undefined), undefined, 2)}\n`);
    } catch (error) {
      process.stdout.write(`${name} FAILED ${error.stack}\n${error.cause?.stack ?? ''}\n`);
      code = 1;
    }
  }
  return code;
};
