// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import { Job, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { Database } from '@forge/kube/third-party/mariadb.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { keyFlavours } from '../../names.ts';
import { home } from '../keystone-operator.ts';
import { productionName } from '../played-rotation.ts';
import { tagOf } from '../releases.ts';
import { secretValues } from './starting-point.ts';

/** What holds in every state of one run of a Keystone, whatever fails. */
export function safetyRules(database: 'managed' | 'brownfield'): NonNullable<ScenarioRun['rules']> {
  return {
    'the keys in use stay as long as their database lives': keysStay(database),
    'no contract Job starts before every pod runs its release': contractComesLast(),
    'production keys are written by the operator alone': onlyOperatorWritesKeys,
    'no secret value is outside of Secrets': noSecretOutside,
  };
}

/** A terminating Database lives no longer; one outside of the cluster always does. */
function keysStay(mode: 'managed' | 'brownfield'): (cluster: ClusterState) => boolean {
  const primaries = new Map<string, string>();
  const lives = (cluster: ClusterState) => {
    if (mode === 'brownfield') return true;
    const database = cluster.find(Database, home);
    return database !== undefined && database.metadata.deletionTimestamp === undefined;
  };
  return (cluster) => {
    if (!lives(cluster)) primaries.clear();
    else if (!keyFlavours.every((flavour) => isKept(cluster, flavour, primaries))) return false;
    return true;
  };
}

/** Whether what was the primary key is still there; notes the primary key. */
function isKept(cluster: ClusterState, flavour: (typeof keyFlavours)[number], primaries: Map<string, string>): boolean {
  const keys = cluster.find(Secret, productionName(flavour))?.data ?? {};
  const known = primaries.get(flavour);
  const primary = keys[String(Math.max(...Object.keys(keys).map(Number)))];
  if (primary !== undefined) primaries.set(flavour, primary);
  return known === undefined || Object.values(keys).includes(known);
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
  return writer.startsWith('keystone') || (type === 'DELETED' && writer === 'cluster');
}

const forbidden = new RegExp(
  secretValues.flatMap((value) => [value, Buffer.from(value).toString('base64').replace(/=+$/, '')]).join('|'),
);

function noSecretOutside(_: ClusterState, { object: { key, value } }: Change): boolean {
  return key.startsWith('secrets/') || !forbidden.test(JSON.stringify(value));
}
