// SPDX-License-Identifier: Apache-2.0
import type { ClusterRole, CustomResourceDefinition, Namespace, Role } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Controller } from '../controller/controller.ts';
import type { Operator } from '../process/run-operator.ts';
import { managedCertificate } from '../webhook/managed-certificate.ts';
import { webhookConfigurations } from '../webhook/webhook-configurations.ts';
import { accessRules } from './access-rules.ts';

/** What manifests are made from: the values that the process runs on. */
export interface ManifestSource extends Pick<Operator, 'name' | 'lease' | 'kinds' | 'requires' | 'webhooks'> {
  /** Where it lives: its Service, its Lease, its certificate. */
  namespace: string;
  controllers: readonly Controller[];
}

/**
 * What a cluster must know before an operator can work there, by file: its kinds, its home, its rights, its webhooks. To be
 * applied in the order of the files' names, as kubectl does.
 */
export function operatorManifests(source: ManifestSource): Readonly<Record<string, readonly KubeObject[]>> {
  const { name, lease = name, namespace, kinds, requires = [], webhooks = [] } = source;
  const crds: CustomResourceDefinition[] = kinds.map((kind) => crdOf(kind));
  const home: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const certificates = webhooks.length === 0 ? [] : [managedCertificate({ name, namespace }).controller];
  const controllers = [...source.controllers, ...certificates];
  const { clusterWide: everywhere, ownNamespace: atHome } = accessRules({
    controllers,
    requires: [...kinds, ...requires],
    lease: { namespace, name: lease },
  });
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const clusterRole: ClusterRole = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: everywhere };
  const role: Role = { apiVersion, kind: 'Role', metadata: { name, namespace }, rules: atHome };
  return {
    'crds.yaml': crds,
    'namespace.yaml': [home],
    'role.yaml': [clusterRole, role],
    ...(webhooks.length > 0 && { 'webhooks.yaml': webhookConfigurations(webhooks, { name, namespace }) }),
  };
}
