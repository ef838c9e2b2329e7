// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { ContainerConfigError } from './container-config-error.ts';

/** The existing ConfigMaps and Secrets of a pod's namespace. */
export interface PodObjects {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
}

/** A reference to a ConfigMap or Secret. */
export interface PodReference {
  kind: 'ConfigMap' | 'Secret';
  name: string;
}

/** All ConfigMaps and Secrets referenced by the pod's containers and volumes. */
export function referencesOf({ spec }: Pod): PodReference[] {
  const found = new Map<string, PodReference>();
  const add = (kind: PodReference['kind'], name: string | undefined) => {
    if (name) found.set(`${kind}/${name}`, { kind, name });
  };
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  for (const { env = [], envFrom = [] } of [...initContainers, ...containers, ...ephemeralContainers]) {
    for (const { valueFrom } of env) {
      add('ConfigMap', valueFrom?.configMapKeyRef?.name);
      add('Secret', valueFrom?.secretKeyRef?.name);
    }
    for (const { configMapRef, secretRef } of envFrom) {
      add('ConfigMap', configMapRef?.name);
      add('Secret', secretRef?.name);
    }
  }
  for (const { configMap, secret, projected } of spec?.volumes ?? []) {
    add('ConfigMap', configMap?.name);
    add('Secret', secret?.secretName);
    for (const source of projected?.sources ?? []) {
      add('ConfigMap', source.configMap?.name);
      add('Secret', source.secret?.name);
    }
  }
  return [...found.values()];
}

/** The content of a ConfigMap or Secret by key; undefined when it is missing and optional. */
export function contentOf(
  objects: PodObjects,
  { kind, name }: PodReference,
  optional = false,
): ReadonlyMap<string, Buffer> | undefined {
  if (kind === 'ConfigMap') {
    const configMap = objects.configMap(name);
    if (!configMap) return missing(`configmap "${name}" not found`, optional);
    return new Map([
      ...entries(configMap.data, (text) => Buffer.from(text)),
      ...entries(configMap.binaryData, (text) => Buffer.from(text, 'base64')),
    ]);
  }
  const secret = objects.secret(name);
  if (!secret) return missing(`secret "${name}" not found`, optional);
  return new Map(entries(secret.data, (text) => Buffer.from(text, 'base64')));
}

/** One value of a ConfigMap or Secret; undefined when it is missing and optional. */
export function valueOf(
  objects: PodObjects,
  reference: PodReference,
  key: string,
  optional = false,
): Buffer | undefined {
  const value = contentOf(objects, reference, optional)?.get(key);
  return value ?? missing(`couldn't find key ${key} in ${reference.kind} ${reference.name}`, optional);
}

function missing(message: string, optional: boolean): undefined {
  if (!optional) throw new ContainerConfigError(message);
}

function entries(data: Readonly<Record<string, string>> = {}, decode: (text: string) => Buffer): [string, Buffer][] {
  return Object.entries(data).map(([key, text]) => [key, decode(text)]);
}
