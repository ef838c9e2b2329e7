// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { defaults } from '../api/defaults.ts';

type Fields = Record<string, unknown>;

/**
 * Sets fields that are absent or empty; what the user wrote stays. It runs before the schema is checked, so fields may have a
 * wrong type: those are left for the schema to refuse.
 */
export function defaultControlPlane(controlPlane: ControlPlane): ControlPlane {
  const spec: unknown = controlPlane.spec;
  return isObject(spec) ? { ...controlPlane, spec: filledSpec(spec) as ControlPlane['spec'] } : controlPlane;
}

function filledSpec(spec: Fields): Fields {
  return {
    ...filled(spec, { region: defaults.region }),
    ...section('infrastructure', spec, (infrastructure) => ({
      ...infrastructure,
      ...section('database', infrastructure, filledDatabase),
      ...section('cache', infrastructure, filledCache),
    })),
    ...section('korc', spec, (korc) => ({ ...korc, ...section('adminCredential', korc, filledCredential) })),
  };
}

function filledDatabase(database: Fields): Fields {
  const given = without(database, 'host', 'port', 'replicas');
  return {
    ...filled(given, { database: defaults.database }),
    ...section('secretRef', given, (secret) => filled(secret, { name: defaults.databaseSecret })),
    ...(given['host'] === undefined && clusterReference(given, defaults.databaseCluster)),
  };
}

function filledCache(cache: Fields): Fields {
  const given = without(cache, 'servers', 'replicas');
  return {
    ...filled(given, { backend: defaults.cacheBackend }),
    ...(given['servers'] === undefined && clusterReference(given, defaults.cacheCluster)),
  };
}

function filledCredential(credential: Fields): Fields {
  const { cloudsYaml, cloud, passwordSecret, passwordKey, rotationMode } = defaults;
  return {
    ...credential,
    ...section('cloudCredentialsRef', credential, (ref) => filled(ref, { secretName: cloudsYaml, cloudName: cloud })),
    ...section('passwordSecretRef', credential, (ref) => filled(ref, { name: passwordSecret, key: passwordKey })),
    ...section('applicationCredential', credential, (application) => ({
      ...filled(application, { restricted: true }),
      ...section('rotation', application, (rotation) => filled(rotation, { mode: rotationMode })),
    })),
  };
}

function clusterReference(given: Fields, name: string): Fields {
  return section('clusterRef', given, (ref) => filled(ref, { name }));
}

/** The section with its defaults, created if it is absent; unchanged if it is not an object. */
function section(name: string, fields: Fields, fill: (section: Fields) => Fields): Fields {
  const value = fields[name] ?? {};
  return isObject(value) ? { [name]: fill(value) } : {};
}

function filled(fields: Fields, values: Fields): Fields {
  const missing = Object.entries(values).filter(([name]) => isEmpty(fields[name]));
  return { ...fields, ...Object.fromEntries(missing) };
}

/** Without these fields where they are empty: an empty host would count as one, and 0 is below the least number. */
function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !(names.includes(name) && (isEmpty(value) || value === 0))),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
