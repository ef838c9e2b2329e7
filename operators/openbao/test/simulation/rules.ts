// SPDX-License-Identifier: Apache-2.0
import { type Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { isKeyOf, isTrustedBy } from '@forge/pki/read-certificate.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home } from '../openbao-fixture.ts';
import { dataRules } from './data-rules.ts';
import { processName } from './operator.ts';
import { ruleNames } from './rule-names.ts';
import { claimsIn, contentOf, names, rootTokensOf, storesIn, type Servers } from './stored-data.ts';

/** The rules and invariants of a scenario. */
export type Rules = Required<Pick<ScenarioRun, 'rules' | 'invariants'>>;
type Rule = Rules['rules'][string];
type Invariant = Rules['invariants'][string];

/** What holds in every state of one run of a cluster, whatever fails. */
export function safetyRules(servers: Servers): Rules {
  return {
    rules: {
      ...dataRules(servers),
      [ruleNames.secretsInSecrets]: secretsInSecrets(servers),
      [ruleNames.onePodAtFirst]: onePodAtFirst,
      [ruleNames.podsStay]: podsStay,
      [ruleNames.certificatesFit]: certificatesFit(),
    },
    invariants: {
      [ruleNames.oneCluster]: oneCluster(servers),
      [ruleNames.oneKey]: oneKey(servers),
      [ruleNames.initialisedOnce]: initialisedOnce(servers),
      [ruleNames.noDowngrade]: noDowngrade(servers),
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

const isStatefulSet = (key: string) => key.startsWith(`${resourceName(StatefulSet)}/`);

/** Unless other claims show that there was a cluster of more pods. */
const onePodAtFirst: Rule = (cluster, { object: { key, value } }) => {
  if (!isStatefulSet(key)) return true;
  const isInitialized =
    cluster.find(OpenBaoCluster, home)?.status?.initialized === true || claimsIn(cluster).length > 1;
  return isInitialized || ((value as StatefulSet).spec?.replicas ?? 1) <= 1;
};

/** While the cluster lives: none is taken away, and none restarts because its template was changed. */
const podsStay: Rule = (cluster, { type, object: { key, value }, before }, writer) => {
  const { status, metadata } = cluster.find(OpenBaoCluster, home) ?? {};
  const lives = status?.initialized === true && metadata?.deletionTimestamp === undefined;
  if (!isStatefulSet(key) || !writer.startsWith(processName) || type === 'DELETED' || !lives) return true;
  const { replicas = 0, updateStrategy } = (value as StatefulSet).spec ?? {};
  const former = (before?.value as StatefulSet | undefined)?.spec?.replicas ?? 0;
  return replicas >= former && (updateStrategy?.rollingUpdate?.partition ?? 0) >= replicas;
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

/** No server is asked to that is initialised, whether it refuses or not. */
function initialisedOnce(servers: Servers): Invariant {
  let isAgain = false;
  servers.onRequest = ({ method, url }, { options }) => {
    isAgain ||= method === 'PUT' && url.endsWith('/sys/init') && options.disk.store !== undefined;
  };
  return () => !isAgain;
}

/** Of a version, its parts are compared as numbers. */
const byNumber = new Intl.Collator('en', { numeric: true });

const noDowngrade =
  (servers: Servers): Invariant =>
  (cluster) =>
    storesIn(servers, cluster).every(({ claim, store }) => {
      const running = servers.serverIn({ namespace: home.namespace, name: claim.metadata.name.slice('data-'.length) });
      return running === undefined || byNumber.compare(running.options.version, store.copy.ledBy) >= 0;
    });
