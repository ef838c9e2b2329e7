// SPDX-License-Identifier: Apache-2.0
import { Store, type Snapshot } from '@forge/apiserver/storage/store.ts';
import { endState, isEmpty, isObject, type EndState, type Incomparable } from './end-state.ts';

/** Fields that count or record earlier states. */
const historyFields = new Set([
  'generation',
  'observedGeneration',
  'managedFields',
  'deployment.kubernetes.io/revision',
]);

/** How a scenario's objects can be compared. */
export interface Comparability extends Incomparable {
  /** Names of further fields that record earlier states. */
  history?: RegExp;
  /** Texts that differ with earlier states. */
  volatile?: RegExp;
}

/** Everything at the end of a run, changed or not, without traces of earlier states. */
export function currentState(
  end: Snapshot,
  outside: unknown,
  { history, volatile, ...incomparable }: Comparability,
): EndState {
  const all = endState(new Store().current, end, outside, incomparable);
  const isHistory = (field: string) => historyFields.has(field) || history?.test(field) === true;
  return new Map(
    [...all]
      .filter((entry) => !isOldReplicaSet(...entry))
      .map(([key, value]) => [key, withoutFields(value, isHistory, volatile)] as const),
  );
}

/** Whether it is a ReplicaSet that is kept as history. */
function isOldReplicaSet(key: string, value: unknown): boolean {
  return key.startsWith('replicasets.') && (value as { spec?: { replicas?: number } }).spec?.replicas === 0;
}

/** The value without these fields, and without the maps that held nothing else. */
function withoutFields(value: unknown, isRemoved: (field: string) => boolean, volatile?: RegExp): unknown {
  if (typeof value === 'string' && volatile?.test(value) === true) return '(differs)';
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, isRemoved, volatile));
  if (!isObject(value)) return value;
  const fields = Object.entries(value)
    .filter(([field]) => !isRemoved(field))
    .map(([field, before]) => [field, before, withoutFields(before, isRemoved, volatile)] as const)
    .filter(([, before, after]) => !isEmpty(after) || isEmpty(before));
  return Object.fromEntries(fields.map(([field, , after]) => [field, after]));
}
