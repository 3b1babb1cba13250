import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';

/*
 * Network policies as rules of iptables, as far as the chart uses them: who may come in. Kubernetes describes them and leaves it to the pod network to keep them:
 * https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */

export const CHAIN = 'CLUSTER-POLICIES';

const matches = ({ matchLabels = {}, matchExpressions = [] } = {}, labels = {}) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every((one) => matchesOne(one, labels));

const matchesOne = ({ key, operator, values = [] }, labels) => {
  if (operator === 'In') return values.includes(labels[key]);
  if (operator === 'NotIn') return !values.includes(labels[key]);
  return (operator === 'Exists') === Object.hasOwn(labels, key);
};

/**
 * The rules of all pods that a policy chooses, for iptables-restore: what no rule lets in is refused.
 * @param {{ pods: object[], policies: object[], namespaces: object[] }} world
 */
export const rulesFor = ({ pods, policies, namespaces }) => {
  const reachable = pods.filter(({ spec, status }) => !spec.hostNetwork && isIPv4(status.podIP ?? '') && status.phase !== 'Succeeded');
  const guarded = reachable.flatMap((pod) => {
    const own = policies.filter((policy) => chooses(policy, pod));
    return own.length > 0 ? [{ pod, policies: own }] : [];
  });
  const chains = guarded.map(({ pod, policies: own }) => ({
    name: `POD-${createHash('sha256').update(pod.metadata.uid).digest('hex').slice(0, 16)}`,
    ip: pod.status.podIP,
    rules: own.flatMap((policy) => (policy.spec.ingress ?? []).flatMap((rule) => ruleLines(rule, policy, { pods: reachable, namespaces }))),
  }));
  return [
    '*filter',
    ...[CHAIN, ...chains.map(({ name }) => name)].map((name) => `:${name} - [0:0]`),
    `-A ${CHAIN} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`,
    ...chains.map(({ name, ip }) => `-A ${CHAIN} -d ${ip} -j ${name}`),
    ...chains.flatMap(({ name, rules }) => [...new Set(rules)].map((rule) => `-A ${name} ${rule} -j RETURN`.replaceAll('  ', ' '))),
    ...chains.map(({ name }) => `-A ${name} -j REJECT`),
    'COMMIT',
    '',
  ].join('\n');
};

const chooses = ({ metadata, spec }, pod) =>
  metadata.namespace === pod.metadata.namespace &&
  (spec.policyTypes ?? ['Ingress']).includes('Ingress') &&
  matches(spec.podSelector, pod.metadata.labels);

const ruleLines = ({ from, ports }, policy, world) => {
  const sources = from ? from.flatMap((peer) => addresses(peer, policy, world).map((ip) => `-s ${ip}`)) : [''];
  const targets = ports ? ports.map(({ port, protocol = 'TCP' }) => `-p ${protocol.toLowerCase()} --dport ${port}`) : [''];
  return sources.flatMap((source) => targets.map((target) => `${source} ${target}`));
};

const addresses = ({ ipBlock, podSelector, namespaceSelector }, policy, { pods, namespaces }) => {
  if (ipBlock) return [ipBlock.cidr];
  const inside = namespaceSelector
    ? namespaces.filter(({ metadata }) => matches(namespaceSelector, metadata.labels)).map(({ metadata }) => metadata.name)
    : [policy.metadata.namespace];
  return pods
    .filter(({ metadata }) => inside.includes(metadata.namespace) && matches(podSelector, metadata.labels))
    .map(({ status }) => status.podIP);
};
