// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import { defaultBackend } from '@forge/openstack/schema/backing-services.ts';
import { defaults } from '../api/defaults.ts';
import type { Keystone } from '../api/keystone.ts';
import { defaultFlush } from '../api/trust-flush.ts';

type Fields = Record<string, unknown>;

const resources = { requests: { memory: '256Mi', cpu: '100m' }, limits: { memory: '512Mi', cpu: '500m' } };

/**
 * Sets fields that are absent or zero; what the user wrote stays. It runs before the schema is checked, so fields may have a
 * wrong type: those are left for the schema to refuse.
 */
export function defaultKeystone(keystone: Keystone): Keystone {
  const spec: unknown = keystone.spec;
  return isObject(spec) ? { ...keystone, spec: filledSpec(spec) as Keystone['spec'] } : keystone;
}

function filledSpec(spec: Fields): Fields {
  const { replicas, maxActiveKeys, logging, adminUser, region, uwsgi } = defaults;
  const { processes, threads } = uwsgi;
  return {
    ...filled(spec, { replicas }),
    ...always('fernet', spec, { maxActiveKeys }),
    ...always('credentialKeys', spec, { maxActiveKeys }),
    ...always('logging', spec, logging),
    ...whenSet('cache', spec, { backend: defaultBackend }),
    ...whenSet('bootstrap', spec, { adminUser, region }),
    ...whenSet('uwsgi', spec, { processes, threads }),
    ...(isAbsent(spec['trustFlush']) && { trustFlush: { schedule: defaultFlush, suspend: false } }),
    ...(needsResources(spec['resources']) && { resources: { ...(spec['resources'] as Fields | null), ...resources } }),
  };
}

/** The section with its defaults, made where it is absent. */
function always(section: string, spec: Fields, values: Fields): Fields {
  return isAbsent(spec[section]) ? { [section]: values } : whenSet(section, spec, values);
}

/** The section with its defaults, where there is one. */
function whenSet(section: string, spec: Fields, values: Fields): Fields {
  const value = spec[section];
  return isObject(value) ? { [section]: filled(value, values) } : {};
}

function filled(fields: Fields, values: Fields): Fields {
  const missing = Object.entries(values).filter(([name]) => isZero(fields[name]));
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
