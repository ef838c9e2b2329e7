// SPDX-License-Identifier: Apache-2.0
import type { Snapshot } from '@forge/apiserver/storage/store.ts';
import type { StoredObject } from '@forge/apiserver/storage/stored-object.ts';
import { pemDescriber, type DescribePem } from './pem-describer.ts';

/** What a run left behind, by where it is, in words that are the same whenever it happened. */
export type EndState = ReadonlyMap<string, unknown>;

/** What differs from the state a run began with, and what is outside; Events and Leases tell how it went, not what is. */
export function endState(start: Snapshot, end: Snapshot, outside: unknown): EndState {
  const names = new Map<string, string>();
  const changed = changedObjects(start, end).filter(({ key }) => isLasting(key));
  for (const object of changed) {
    const { uid = '', name, generateName } = object.value.metadata;
    names.set(uid, stableKey(object));
    if (generateName !== undefined) names.set(name, `${generateName}*`);
  }
  const runNames = { names, describePem: pemDescriber([...changed.map(({ value }) => value), outside]) };
  const state = new Map<string, unknown>();
  for (const object of changed) {
    // Several objects may differ by their generated names only.
    let place = stableKey(object);
    while (state.has(place)) place += '*';
    state.set(place, normalized(object.value, runNames));
  }
  for (const { key } of start.objects.withPrefix('')) if (end.objects.get(key) === undefined) state.set(key, 'gone');
  if (outside !== undefined) state.set('outside', normalized(outside, runNames));
  return state;
}

/** What is there that was not, or is another than it was. */
export function changedObjects(start: Snapshot, end: Snapshot): StoredObject[] {
  return [...end.objects.withPrefix('')].filter((object) => start.objects.get(object.key) !== object);
}

/** Whether what is under this key is of interest once a run is over. */
export function isLasting(key: string): boolean {
  return !key.startsWith('events/') && !key.startsWith('events.') && !key.startsWith('leases.');
}

/** The object's key, a generated end of its name left out. */
export function stableKey({ key, value }: StoredObject): string {
  const { name, generateName } = value.metadata;
  return generateName === undefined ? key : `${key.slice(0, -name.length)}${generateName}*`;
}

/** How two end states differ, line by line. */
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
  return should === is ? [] : [`${path} is ${is}, and ${should} baseline`];
}

function textOf(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The volume with the token of a pod's ServiceAccount has a generated name. */
const tokenVolume = /^kube-api-access-[a-z0-9]{5}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** How to say what is another in each run. */
interface RunNames {
  /** The places of objects by their uids and generated names. */
  names: ReadonlyMap<string, string>;
  describePem: DescribePem;
}

/** The value in words that are the same in each run: names become the places of their objects, times become one. */
function normalized(value: unknown, runNames: RunNames): unknown {
  const { names, describePem } = runNames;
  if (typeof value === 'string')
    return time.test(value) ? '(time)' : (describePem(value) ?? withStableNames(value, names));
  if (Array.isArray(value)) return value.map((item) => normalized(item, runNames));
  if (!isObject(value)) return value;
  const fields = Object.keys(value).filter((field) => field !== 'resourceVersion');
  return Object.fromEntries(
    fields.map((field) => [withStableNames(field, names), sortedManagers(field, normalized(value[field], runNames))]),
  );
}

/** The text with places instead of uids, which also stand in the names of owned fields; what has no place any more is gone. */
function withStableNames(text: string, names: ReadonlyMap<string, string>): string {
  const place = names.get(text);
  if (place !== undefined) return place;
  return text.replace(uid, (found) => names.get(found) ?? '(gone)').replace(tokenVolume, 'kube-api-access-*');
}

/** Managers are listed by the time of their last write, which is another in each run. */
function sortedManagers(field: string, value: unknown): unknown {
  if (field !== 'managedFields' || !Array.isArray(value)) return value;
  return value
    .map((entry) => [JSON.stringify(entry), entry] as const)
    .toSorted(byText)
    .map(([, entry]) => entry as unknown);
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
