// SPDX-License-Identifier: Apache-2.0
import { type Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isKeyOf, isTrustedBy } from '@forge/pki/read-certificate.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home } from '../openbao-fixture.ts';
import { dataRules } from './data-rules.ts';
import { keepsQuorum, membershipRules } from './membership-rules.ts';
import { observeRequests } from './observe-requests.ts';
import { processName } from './operator.ts';
import { ruleNames } from './rule-names.ts';
import { claimsIn, contentOf, isStatefulSet, names, rootTokensOf, storesIn, type Servers } from './stored-data.ts';
import { upgradeRules } from './upgrade-rules.ts';

/** The rules and invariants of a scenario. */
export type Rules = Required<Pick<ScenarioRun, 'rules' | 'invariants'>>;
type Rule = Rules['rules'][string];
type Invariant = Rules['invariants'][string];

/** What holds in every state of one run of a cluster, whatever fails. */
export function safetyRules(servers: Servers): Rules {
  const upgrades = upgradeRules(servers);
  return {
    rules: {
      ...dataRules(servers),
      ...membershipRules(servers),
      [ruleNames.secretsInSecrets]: secretsInSecrets(servers),
      [ruleNames.onePodAtFirst]: onePodAtFirst,
      ...upgrades.rules,
      [ruleNames.certificatesFit]: certificatesFit(),
    },
    invariants: {
      [ruleNames.oneCluster]: oneCluster(servers),
      [ruleNames.oneKey]: oneKey(servers),
      ...requestRules(servers),
      [ruleNames.noDowngrade]: noDowngrade(servers),
      ...upgrades.invariants,
    },
  };
}

/** Keys and root tokens, as they are or in base64. */
function secretsInSecrets(servers: Servers): Rule {
  const own = new Set(
    [names.unsealKeySecret, names.rootTokenSecret].map((name) => `secrets/${home.namespace}/${name}`),
  );
  return (cluster, { object: { key, value } }) => {
    if (own.has(key)) return true;
    const text = JSON.stringify(value);
    const stored = storesIn(servers, cluster).flatMap(({ store }) =>
      rootTokensOf(store).flatMap((token) => [token, btoa(token)]),
    );
    const unsealKey = contentOf(cluster, names.unsealKeySecret, 'key');
    return [...stored, ...(unsealKey === undefined ? [] : [unsealKey])].every((secret) => !text.includes(secret));
  };
}

/** Unless other claims show that there was a cluster of more pods. */
const onePodAtFirst: Rule = (cluster, { object: { key, value } }) => {
  if (!isStatefulSet(key)) return true;
  const isInitialized =
    cluster.find(OpenBaoCluster, home)?.status?.initialized === true || claimsIn(cluster).length > 1;
  return isInitialized || ((value as StatefulSet).spec?.replicas ?? 1) <= 1;
};

const text = (encoded: string | undefined) => Buffer.from(encoded ?? '', 'base64').toString();

/** Those that the operator stores; a CA that people change it does not know yet. */
function certificatesFit(): Rule {
  const [ca, server] = [names.caSecret, names.serverSecret].map((name) => `secrets/${home.namespace}/${name}`);
  let isOwnAuthority = true;
  return (cluster, { type, object: { key, value } }, writer) => {
    if (key === ca) isOwnAuthority = writer.startsWith(processName);
    if (key !== server || !writer.startsWith(processName) || type === 'DELETED') return true;
    const { 'tls.crt': certificate, 'tls.key': privateKey, 'ca.crt': trusted } = (value as Secret).data ?? {};
    const authorities = isOwnAuthority ? [trusted, contentOf(cluster, names.caSecret, 'ca.crt')] : [trusted];
    return (
      isKeyOf({ cert: text(certificate), key: text(privateKey) }) &&
      authorities.every((each) => isTrustedBy(text(certificate), text(each)))
    );
  };
}

const oneCluster =
  (servers: Servers): Invariant =>
  (cluster) =>
    new Set(storesIn(servers, cluster).map(({ store }) => store.copy.clusterId)).size <= 1;

const oneKey =
  (servers: Servers): Invariant =>
  (cluster) =>
    new Set(storesIn(servers, cluster).map(({ store }) => store.sealKey)).size <= 1;

/** No server is asked to, whether it refuses or not. */
function requestRules(servers: Servers): Rules['invariants'] {
  const isBroken = { initialisedOnce: false, quorumStays: false };
  observeRequests(servers, (request, server) => {
    const { method, url } = request;
    isBroken.initialisedOnce ||=
      method === 'PUT' && url.endsWith('/sys/init') && server.options.disk.store !== undefined;
    isBroken.quorumStays ||= !keepsQuorum([request, server], servers);
  });
  return {
    [ruleNames.initialisedOnce]: () => !isBroken.initialisedOnce,
    [ruleNames.quorumStays]: () => !isBroken.quorumStays,
  };
}

/** Of a version, its parts are compared as numbers. */
const byNumber = new Intl.Collator('en', { numeric: true });

/** Whether pods are being replaced: the controller of the set has not seen the end of it. */
function isMixed(cluster: ClusterState): boolean {
  const { currentRevision, updateRevision } = cluster.find(StatefulSet, home)?.status ?? {};
  return cluster.find(OpenBaoCluster, home)?.status?.upgrade !== undefined || currentRevision !== updateRevision;
}

/** During an upgrade the pods that are still to be replaced follow a leader of the new version. */
const noDowngrade =
  (servers: Servers): Invariant =>
  (cluster) =>
    isMixed(cluster) ||
    storesIn(servers, cluster).every(({ claim, store }) => {
      const running = servers.serverIn({ namespace: home.namespace, name: claim.metadata.name.slice('data-'.length) });
      return running === undefined || byNumber.compare(running.options.version, store.copy.ledBy) >= 0;
    });
