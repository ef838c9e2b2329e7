// SPDX-License-Identifier: Apache-2.0
import type { ClusterRole, CustomResourceDefinition } from '@forge/kube/builtin.ts';
import { crdOf } from '@forge/kube/crd.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import type { Controller } from '../controller.ts';
import { managedCertificate } from '../webhook/managed-certificate.ts';
import { webhookConfigurations } from '../webhook/webhook-configurations.ts';
import type { Webhook } from '../webhook/webhook.ts';
import { accessRules } from './access-rules.ts';

/** What manifests are made from: the values that the process runs on. */
export interface ManifestSource {
  name: string;
  /** Where its Service is. */
  namespace: string;
  /** Its kinds. */
  requires: readonly Kind[];
  controllers: readonly Controller[];
  webhooks?: readonly Webhook[];
}

/** What a cluster must know before an operator can work there, by file: its kinds, its rights, its webhooks. */
export function operatorManifests(source: ManifestSource): Readonly<Record<string, readonly KubeObject[]>> {
  const { name, namespace, requires, controllers, webhooks = [] } = source;
  const crds: CustomResourceDefinition[] = requires.map((kind) => crdOf(kind));
  const certificates = webhooks.length === 0 ? [] : [managedCertificate({ name, namespace }).controller];
  const role: ClusterRole = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: accessRules([...controllers, ...certificates], requires),
  };
  return {
    'crds.yaml': crds,
    'role.yaml': [role],
    ...(webhooks.length > 0 && { 'webhooks.yaml': webhookConfigurations(webhooks, { name, namespace }) }),
  };
}
