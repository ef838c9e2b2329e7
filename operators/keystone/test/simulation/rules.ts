// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import { Job, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { Database } from '@forge/kube/third-party/mariadb.ts';
import type { Hand } from '@forge/simulation/faults/fault-plan.ts';
import { textOf, type ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { Keystone } from '../../api/keystone.ts';
import { keyTypes } from '../../api/names.ts';
import { productionName } from '../played-rotation.ts';
import { tagOf } from '../releases.ts';
import { home } from '../start-keystone-operator.ts';
import { secretValues } from './starting-point.ts';

/** What holds in every state of one run of a Keystone, whatever fails. */
export function safetyRules(database: 'managed' | 'brownfield'): NonNullable<ScenarioRun['rules']> {
  return {
    'the keys in use stay as long as their database lives; credential keys that a person took are not made anew':
      keysStay(database),
    'no contract Job starts before every pod runs its release': contractComesLast(),
    'production keys are written by the operator alone': onlyOperatorWritesKeys,
    'no secret value is outside of Secrets': noSecretOutside,
  };
}

/**
 * Whether keys were removed that are not generated again: credential keys once there is a schema, and those in a Secret that
 * stays. A managed database is deleted with its Keystone, together with what the keys encrypt; a brownfield one is not.
 */
export const takesKeys =
  (database: 'managed' | 'brownfield', { isRecreated }: { isRecreated: boolean }) =>
  ({ on, does }: Hand, cluster: ClusterState): boolean => {
    const [, keyType] = /-(fernet|credential)-keys$/.exec(on) ?? [];
    const keystone = cluster.find(Keystone, home);
    const isTerminating = keystone === undefined || keystone.metadata.deletionTimestamp !== undefined;
    if (isRecreated && isTerminating && database === 'managed') return false;
    if (does === 'empty') return keyType !== undefined;
    if (keyType !== 'credential' || does === 'unlabel') return false;
    return (isRecreated && database === 'brownfield') || isSchemaSynced(cluster);
  };

/** Whether there may be data that the credential keys encrypt. */
function isSchemaSynced(cluster: ClusterState): boolean {
  const { conditions = [], installedRelease } = cluster.find(Keystone, home)?.status ?? {};
  if (installedRelease !== undefined) return true;
  const job = cluster.find(Job, { ...home, name: `${home.name}-db-sync` });
  return (
    conditions.some(({ type, status }) => type === 'DatabaseReady' && status === 'True') ||
    (job?.status?.succeeded ?? 0) > 0
  );
}

type Rule = NonNullable<ScenarioRun['rules']>[string];
type KeyType = (typeof keyTypes)[number];

/** A terminating Database no longer counts; one outside of the cluster always does. */
function keysStay(mode: 'managed' | 'brownfield'): Rule {
  const primaries = new Map<KeyType, string>();
  const taken = new Set<KeyType>();
  const lives = (cluster: ClusterState) => {
    if (mode === 'brownfield') return true;
    const database = cluster.find(Database, home);
    return database !== undefined && database.metadata.deletionTimestamp === undefined;
  };
  /** Whether the former primary key still exists, or was removed by hand; records the primary key. */
  function isKept(cluster: ClusterState, keyType: KeyType): boolean {
    const secret = cluster.find(Secret, productionName(keyType));
    const keys = secret?.data ?? {};
    const known = primaries.get(keyType);
    const primary = keys[String(Math.max(...Object.keys(keys).map(Number)))];
    const isGoing = primary === undefined || secret?.metadata.deletionTimestamp !== undefined;
    if (known !== undefined && taken.has(keyType)) return keyType === 'fernet' || isGoing;
    if (primary !== undefined) primaries.set(keyType, primary);
    return known === undefined || Object.values(keys).includes(known);
  }
  return (cluster, { type, object: { key, value } }, writer) => {
    for (const keyType of keyTypes.filter((each) => key === `secrets/${home.namespace}/${productionName(each).name}`)) {
      const isEmpty = type === 'DELETED' || value.metadata.deletionTimestamp !== undefined || !('data' in value);
      // Before there is a schema nothing is encrypted with them.
      if (writer !== 'user' || !isEmpty) continue;
      if (keyType === 'credential' && !isSchemaSynced(cluster)) primaries.delete(keyType);
      else taken.add(keyType);
    }
    if (!lives(cluster)) {
      primaries.clear();
      taken.clear();
    }
    return !lives(cluster) || keyTypes.every((keyType) => isKept(cluster, keyType));
  };
}

function contractComesLast(): (cluster: ClusterState) => boolean {
  const seen = new Set<string | undefined>();
  return (cluster) => {
    const job = cluster.find(Job, { ...home, name: `${home.name}-db-contract` });
    if (job === undefined || seen.has(job.metadata.uid)) return true;
    seen.add(job.metadata.uid);
    const target = tagOf(job.spec?.template.spec);
    const pods = cluster.list(Pod).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'keystone');
    return pods.length > 0 && pods.every(({ spec }) => tagOf(spec) === target);
  };
}

function onlyOperatorWritesKeys(_: ClusterState, { type, object: { key } }: Change, writer: string): boolean {
  if (!/^secrets\/openstack\/identity-(fernet|credential)-keys$/.test(key)) return true;
  // Changes by hand are allowed.
  return writer.startsWith('keystone') || writer === 'user' || (type === 'DELETED' && writer === 'cluster');
}

const forbidden = new RegExp(
  secretValues.flatMap((value) => [value, Buffer.from(value).toString('base64').replace(/=+$/, '')]).join('|'),
);

function noSecretOutside(_: ClusterState, { object: { key, value } }: Change): boolean {
  return key.startsWith('secrets/') || !forbidden.test(textOf(value));
}
