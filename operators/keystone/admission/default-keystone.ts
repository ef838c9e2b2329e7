// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { Keystone } from '../keystone.ts';
import { defaultBackend } from '../kind/cache.ts';
import { defaultFlush } from '../kind/trust-flush.ts';

type Fields = Record<string, unknown>;

const resources = { requests: { memory: '256Mi', cpu: '100m' }, limits: { memory: '512Mi', cpu: '500m' } };

/**
 * Fills in what is absent or zero; what somebody wrote stays. It is asked before the schema is checked, so no field need
 * have the type it should have: what cannot be filled in is left to the schema to refuse.
 */
export function defaultKeystone(keystone: Keystone): Keystone {
  const spec: unknown = keystone.spec;
  return isObject(spec) ? { ...keystone, spec: filledSpec(spec) as Keystone['spec'] } : keystone;
}

function filledSpec(spec: Fields): Fields {
  return {
    ...filled(spec, { replicas: 3 }),
    ...always('fernet', spec, { maxActiveKeys: 3 }),
    ...always('credentialKeys', spec, { maxActiveKeys: 3 }),
    ...always('logging', spec, { format: 'text', level: 'INFO', debug: false }),
    ...whenSet('cache', spec, { backend: defaultBackend }),
    ...whenSet('bootstrap', spec, { adminUser: 'admin', region: 'RegionOne' }),
    ...whenSet('uwsgi', spec, { processes: 2, threads: 1 }),
    ...(isAbsent(spec['trustFlush']) && { trustFlush: { schedule: defaultFlush, suspend: false } }),
    ...(needsResources(spec['resources']) && { resources: { ...(spec['resources'] as Fields | null), ...resources } }),
  };
}

/** The section with its defaults, made where it is absent. */
function always(section: string, spec: Fields, defaults: Fields): Fields {
  return isAbsent(spec[section]) ? { [section]: defaults } : whenSet(section, spec, defaults);
}

/** The section with its defaults, where there is one. */
function whenSet(section: string, spec: Fields, defaults: Fields): Fields {
  const value = spec[section];
  return isObject(value) ? { [section]: filled(value, defaults) } : {};
}

function filled(fields: Fields, defaults: Fields): Fields {
  const missing = Object.entries(defaults).filter(([name]) => isZero(fields[name]));
  return { ...fields, ...Object.fromEntries(missing) };
}

/** Without requests the pods would be the first to be evicted, and an autoscaler would have nothing to measure by. */
function needsResources(value: unknown): boolean {
  return isAbsent(value) || (isObject(value) && isEmpty(value['requests']) && isEmpty(value['limits']));
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (isObject(value) && Object.keys(value).length === 0);
}

function isZero(value: unknown): boolean {
  return isAbsent(value) || value === 0 || value === '';
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
