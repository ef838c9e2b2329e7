// SPDX-License-Identifier: Apache-2.0
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { PerNamespaceObject } from './per-namespace-object.ts';

const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** The ConfigMap kube-root-ca.crt with the CA of the API server. */
export function rootCertificate(authority: string): PerNamespaceObject<ConfigMap> {
  const data = { 'ca.crt': authority };
  const annotations = { 'kubernetes.io/description': description };
  return {
    kind: ConfigMap,
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', annotations }, data },
    correct(object) {
      const { metadata } = object;
      const isDescribed = (metadata.annotations?.['kubernetes.io/description'] ?? '') !== '';
      if (jsonEqual(object.data, data) && isDescribed) return object;
      return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } }, data };
    },
  };
}
