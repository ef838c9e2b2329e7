// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

type Metadata = Partial<KubeObject['metadata']>;

/** A config map. */
export function configMap(name: string, data: Record<string, string> = {}, metadata: Metadata = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** A deployment of one container. */
export function deployment(name: string, spec: Record<string, unknown> = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'example:1' }] } },
      ...spec,
    },
  };
}

/** A pod of one container that mounts no token, on a node when the spec names one. */
export function pod(name: string, spec: Record<string, unknown> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'example:1' }], ...spec },
  };
}

/** An owner reference. */
export function ownerReference({ apiVersion, kind, metadata: { name, uid } }: KubeObject, more: object = {}) {
  return { apiVersion, kind, name, uid: uid ?? '', ...more };
}

/** A certificate request in PEM, with an EC key, for the name `someone`. */
export const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITU1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJQZ1hRZ2lMZHdzYjU5T1ZxakJaTVQ1a01oUmkwYmFlYzZZT3I0ZjExMVhDcE5IcVgyYmhkY0RTCmlIa2x1YVpRQ08zK0d1c2tJOVpuQ1FhWThXUjFzdkdnQURBS0JnZ3Foa2pPUFFRREFnTklBREJGQWlCc2VsWUoKK0s1d1dMdkFiWUFtMXhiWmIzWXpZdEhmWmdUaU5GUitJOVFEcmdJaEFOMEtrS0VpM0xUM3FqTS9XTDgrbmNjMgp4aWFCUXA1U1hCT2xOM3JURVA5aAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
