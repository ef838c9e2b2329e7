// SPDX-License-Identifier: Apache-2.0
import { bool, dyn, int, listOf, mapOf, objectType, string, timestamp, type Type } from '../values/type.ts';

function object(name: string, fields: Readonly<Record<string, Type>>): Type {
  return objectType(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

const strings = listOf(string);
const stringMap = mapOf(string, string);

const kind = object('GroupVersionKind', { group: string, version: string, kind: string });
const resource = object('GroupVersionResource', { group: string, version: string, resource: string });
const userInfo = object('UserInfo', { username: string, uid: string, groups: strings, extra: mapOf(string, strings) });
const request = object('AdmissionRequest', {
  kind,
  resource,
  subResource: string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo,
  dryRun: bool,
  options: dyn,
});

const condition = object('NamespaceCondition', {
  status: string,
  type: string,
  lastTransitionTime: timestamp,
  message: string,
  reason: string,
});
const namespace = object('Namespace', {
  metadata: object('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels: stringMap,
    annotations: stringMap,
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: strings,
  }),
  spec: object('NamespaceSpec', { finalizers: strings }),
  status: object('NamespaceStatus', { conditions: listOf(condition), phase: string }),
});

/** Which variables expressions have besides those that all have. */
export interface AdmissionEnvironment {
  /** The type of `authorizer`; there is none without it. */
  readonly authorizer?: Type;
  /** The type of `params`; there is none without it. */
  readonly params?: Type;
  /** The type of `object` and `oldObject`. Default: dyn. */
  readonly object?: Type;
  /** The types of the policy's own variables so far; `variables` is not declared without it. */
  readonly variables?: ReadonlyMap<string, Type>;
}

/** The variables that expressions of webhooks and policies can read, with their types. */
export function admissionVariables(environment: AdmissionEnvironment): ReadonlyMap<string, Type> {
  const { authorizer, params, object: whole = dyn, variables } = environment;
  return new Map<string, Type>([
    ['object', whole],
    ['oldObject', whole],
    ['request', request],
    ['namespaceObject', namespace],
    ...(params === undefined ? [] : [['params', params] as const]),
    ...(authorizer === undefined ? [] : [['authorizer', authorizer] as const]),
    ...(variables === undefined ? [] : [['variables', objectType('kubernetes.variables', variables)] as const]),
  ]);
}
