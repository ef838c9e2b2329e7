// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '@forge/apiserver/storage/store.ts';
import type { StoredObject } from '@forge/apiserver/storage/stored-object.ts';
import { pemDescriber, type DescribePem } from './pem-describer.ts';

const anyUid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The objects at the end of a run, by stable key, in a form that does not depend on time or randomness. */
export type EndState = ReadonlyMap<string, unknown>;

/** What differs between runs without faults. */
export interface Incomparable {
  /** Names of fields whose values differ, and finalizers that do. */
  incomparable?: RegExp;
  /** Texts that differ. */
  unpredictable?: RegExp;
}

/** The changes since the start of a run, and the external state; without Events, Leases and what cannot be compared. */
export function endState(
  start: Snapshot,
  end: Snapshot,
  outside: unknown,
  { incomparable, unpredictable }: Incomparable = {},
): EndState {
  const names = new Map<string, string>();
  const changed = changedObjects(start, end).filter(({ key }) => isLasting(key));
  // Changed objects may reference unchanged ones.
  for (const object of end.objects.withPrefix('')) {
    const { uid = '', name, generateName } = object.value.metadata;
    names.set(uid, stableKey(object));
    if (generateName !== undefined) names.set(name, `${generateName}*`);
  }
  const describePem = pemDescriber([...changed.map(({ value }) => value), outside]);
  const runNames = { names, describePem, incomparable, unpredictable };
  const state = new Map<string, unknown>();
  for (const object of changed) {
    // Several objects may differ only in their generated names.
    let place = stableKey(object);
    while (state.has(place)) place += '*';
    const found = normalized(withoutGeneration(object), runNames);
    // Changes that were reverted do not count.
    const before = start.objects.get(object.key);
    if (before !== undefined && isDeepStrictEqual(normalized(withoutGeneration(before), runNames), found)) continue;
    state.set(place, found);
  }
  for (const { key } of start.objects.withPrefix('')) {
    if (isLasting(key) && end.objects.get(key) === undefined) state.set(key, 'gone');
  }
  if (outside !== undefined) state.set('outside', normalized(outside, runNames));
  return state;
}

/** How often an EndpointSlice or a ReplicaSet changes depends on the order in which pods become ready. */
function withoutGeneration({ key, value }: StoredObject): unknown {
  if (!/^(endpointslices|replicasets)\./.test(key)) return value;
  const { generation: _, managedFields: __, ...metadata } = value.metadata;
  const { observedGeneration: ___, ...status } = (value as { status?: { observedGeneration?: number } }).status ?? {};
  return { ...value, metadata, status };
}

/** Objects that were created or changed. */
export function changedObjects(start: Snapshot, end: Snapshot): StoredObject[] {
  return [...end.objects.withPrefix('')].filter((object) => start.objects.get(object.key) !== object);
}

/** Whether objects under this key belong to the end state. */
export function isLasting(key: string): boolean {
  return !key.startsWith('events/') && !key.startsWith('events.') && !key.startsWith('leases.');
}

/**
 * The object's key without the generated part of its name: a suffix, or an uid; a volume that is named after that of its
 * claim has the name of the claim.
 */
export function stableKey({ key, value }: StoredObject): string {
  const { name, generateName } = value.metadata;
  const { claimRef } = (value as { spec?: { claimRef?: { namespace: string; name: string } } }).spec ?? {};
  if (claimRef !== undefined) return key.replace(anyUid, `${claimRef.namespace}/${claimRef.name}`);
  return generateName === undefined ? key.replace(anyUid, '*') : `${key.slice(0, -name.length)}${generateName}*`;
}

/** The differences of two end states, one per line. */
export function differences(wanted: EndState, found: EndState): string[] {
  const places = new Set([...wanted.keys(), ...found.keys()]);
  return [...places].flatMap((place) => compared(wanted.get(place), found.get(place), place));
}

function compared(wanted: unknown, found: unknown, path: string): string[] {
  if (isObject(wanted) && isObject(found)) {
    const fields = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...fields].flatMap((field) => compared(wanted[field], found[field], `${path}.${field}`));
  }
  const [should, is] = [textOf(wanted), textOf(found)];
  return should === is ? [] : [`${path} is ${shortened(is)}, and ${shortened(should)} in the baseline run`];
}

const shownCharacters = 500;

/** The beginning of a text that is too long for a message. */
function shortened(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

function textOf(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}

/** The volume with the token of a pod's ServiceAccount has a generated name. */
const tokenVolume = /^kube-api-access-[a-z0-9]{5}$/;
/** Pods get addresses in the order of their creation, Services random ones. */
const address = /\b10\.(244|96)\.\d{1,3}\.\d{1,3}\b/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Stable names for what differs between runs. */
interface RunNames {
  /** The stable keys of objects by uid and generated name. */
  names: ReadonlyMap<string, string>;
  describePem: DescribePem;
  /** Names of fields and finalizers that cannot be compared. */
  incomparable: RegExp | undefined;
  /** Texts that cannot. */
  unpredictable: RegExp | undefined;
}

/** The value in a form that is the same in each run: names become stable keys, times a placeholder. */
function normalized(value: unknown, runNames: RunNames): unknown {
  const { names, describePem, incomparable, unpredictable } = runNames;
  if (typeof value === 'string' && unpredictable?.test(value) === true) return '(differs)';
  if (typeof value === 'string')
    return time.test(value) ? '(time)' : (describePem(value) ?? withStableNames(value, names));
  if (Array.isArray(value)) return value.map((item) => normalized(item, runNames));
  if (!isObject(value)) return value;
  const fields = Object.keys(value).filter((field) => field !== 'resourceVersion');
  const entries = fields.map((field) => [
    withStableNames(field, names),
    incomparable?.test(field) === true && typeof value[field] === 'string'
      ? '(differs)'
      : sortedSet(field, normalized(value[field], runNames), incomparable),
  ]);
  // A list without comparable finalizers equals a missing one.
  return Object.fromEntries(
    entries.filter(([field, each]) => field !== 'finalizers' || (each as unknown[]).length > 0),
  );
}

/**
 * The text with stable keys instead of uids, which are also part of managed field names; unknown uids become a
 * placeholder.
 */
function withStableNames(text: string, names: ReadonlyMap<string, string>): string {
  const place = names.get(text);
  if (place !== undefined) return place;
  return text
    .replace(anyUid, (found) => names.get(found) ?? '(gone)')
    .replace(tokenVolume, 'kube-api-access-*')
    .replace(address, '(address)');
}

/** Lists whose order depends on the order of writes, which differs between runs. */
const unordered = ['managedFields', 'finalizers', 'endpoints', 'conditions'];

/** The comparable items of an unordered list, sorted; other values as they are. */
function sortedSet(field: string, value: unknown, incomparable: RegExp | undefined): unknown {
  if (!unordered.includes(field) || !Array.isArray(value)) return value;
  return value
    .filter((entry) => typeof entry !== 'string' || incomparable?.test(entry) !== true)
    .map((entry) => comparableFields(entry, incomparable))
    .filter((entry) => !isObject(entry) || !('fieldsType' in entry) || isComparedManager(entry))
    .map((entry) => [orderOf(entry), entry] as const)
    .toSorted(byText)
    .map(([, entry]) => entry);
}

/** Conditions are sorted by their types, so that those of one type are compared with each other. */
function orderOf(entry: unknown): string {
  return isObject(entry) && typeof entry['type'] === 'string' ? entry['type'] : JSON.stringify(entry);
}

/**
 * Managed fields without incomparable finalizers and without the ownership of maps, which belongs to whichever manager
 * wrote first; maps that become empty are omitted.
 */
function comparableFields(entry: unknown, incomparable: RegExp | undefined): unknown {
  if (!isObject(entry) || Array.isArray(entry)) return entry;
  const fields = Object.entries(entry)
    .filter(([name]) => name !== '.' && incomparable?.test(/^v:"(.*)"$/.exec(name)?.[1] ?? '') !== true)
    .map(([name, inner]) => [name, inner, comparableFields(inner, incomparable)] as const)
    .filter(([, before, after]) => !isEmpty(after) || isEmpty(before));
  return Object.fromEntries(fields.map(([name, , inner]) => [name, inner]));
}

/** The managers of a status are not compared: some statuses can be written by different requests. */
function isComparedManager(entry: Record<string, unknown>): boolean {
  return 'fieldsV1' in entry && entry['subresource'] !== 'status';
}

/** Whether it is an object or a list without items. */
export function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Whether it is an object or a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
