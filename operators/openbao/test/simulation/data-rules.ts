// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import type { StoredObject } from '@forge/apiserver/storage/stored-object.ts';
import { PersistentVolumeClaim, Pod, type Secret } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { fingerprintOf, unsealKeyIn } from '../../objects/secrets.ts';
import { home } from '../openbao-fixture.ts';
import { processName } from './operator.ts';
import { ruleNames } from './rule-names.ts';
import type { Rules } from './rules.ts';
import { claimsIn, memberIds, names, storesIn, type Servers } from './stored-data.ts';

type Rule = Rules['rules'][string];

/** What keeps data from being lost. */
export function dataRules(servers: Servers): Rules['rules'] {
  return {
    [ruleNames.keyOfData]: keyOfData(servers),
    [ruleNames.keysStay]: keysStay(servers),
    [ruleNames.dataStays]: dataStays(servers),
    [ruleNames.podsFirst]: podsFirst,
  };
}

const keyOf = (name: string) => `secrets/${home.namespace}/${name}`;

const dataOf = (object: StoredObject | undefined) => JSON.stringify((object?.value as Secret | undefined)?.data);

/** Also before there is data on them. */
const keyOfData =
  (servers: Servers): Rule =>
  (cluster, { type, object, before }, writer) => {
    const isStored =
      object.key === keyOf(names.unsealKeySecret) && type !== 'DELETED' && dataOf(before) !== dataOf(object);
    if (!isStored || !writer.startsWith(processName)) return true;
    const secret = object.value as Secret;
    const fingerprint = fingerprintOf(unsealKeyIn(secret));
    const stamps = claimsIn(cluster).map(({ metadata }) => metadata.annotations?.[annotations.unsealKeyFingerprint]);
    return (
      stamps.every((stamp) => stamp === undefined || stamp === fingerprint) &&
      storesIn(servers, cluster).every(({ store }) => store.sealKey === secret.data?.['key'])
    );
  };

/** Whatever people do; what the garbage collector takes, the operator gave it. */
function keysStay(servers: Servers): Rule {
  const taken = new Set<string | undefined>();
  const secrets = [names.unsealKeySecret, names.rootTokenSecret].map(keyOf);
  return (cluster, { type, object, before }, writer) => {
    if (!secrets.includes(object.key) || before === undefined) return true;
    const { uid, deletionTimestamp } = object.value.metadata;
    const isSame = type !== 'DELETED' && dataOf(before) === dataOf(object);
    if (writer === 'user' && (!isSame || deletionTimestamp !== undefined)) taken.add(uid);
    return isSame || taken.has(uid) || storesIn(servers, cluster).length === 0;
  };
}

/** Whether this change begins the deletion of a claim, and is not that of a person. */
function deletesClaim({ type, object: { key, value }, before }: Change, writer: string): boolean {
  const isClaim = key.startsWith(`${resourceName(PersistentVolumeClaim)}/`);
  const isGoing = type === 'DELETED' || value.metadata.deletionTimestamp !== undefined;
  return isClaim && writer !== 'user' && isGoing && before?.value.metadata.deletionTimestamp === undefined;
}

/** Not with one whose deletion orphans, either. */
function dataStays(servers: Servers): Rule {
  const orphaning = new Set<string | undefined>();
  return (cluster, change, writer) => {
    const { metadata, spec } = cluster.find(OpenBaoCluster, home) ?? {};
    if (metadata?.finalizers?.includes('orphan') === true) orphaning.add(metadata.uid);
    const { uid = '' } = change.object.value.metadata;
    if (!deletesClaim(change, writer) || servers.diskOf(uid)?.store === undefined) return true;
    const pod = change.object.value.metadata.name.slice('data-'.length);
    if (metadata?.deletionTimestamp === undefined) return !memberIds(servers, cluster).has(pod);
    return spec?.deletionPolicy !== 'Retain' && !orphaning.has(metadata.uid);
  };
}

const podsFirst: Rule = (cluster, change, writer) => {
  if (!deletesClaim(change, writer)) return true;
  const { name } = change.object.value.metadata;
  const isUsed = ({ spec }: Pod) => spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name);
  return !cluster.list(Pod).some(isUsed);
};
