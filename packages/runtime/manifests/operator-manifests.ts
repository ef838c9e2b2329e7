// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { managedCertificate } from '../certificates/managed-certificate.ts';
import type { Controller } from '../controller/controller.ts';
import { reviewAccess } from '../process/metrics-access.ts';
import type { Operator } from '../process/run-operator.ts';
import { admissionPolicyObjects } from '../webhook/admission-policy.ts';
import { webhookCertificate } from '../webhook/webhook-certificate.ts';
import { webhookConfigurations } from '../webhook/webhook-configurations.ts';
import { accessRules, rulesOf, type AccessRules } from './access-rules.ts';
import { boundClusterRole, metricsReader, narrowRoles, operatorRoles, watchedRole } from './operator-roles.ts';
import { operatorWorkload } from './operator-workload.ts';

/** What the manifests are generated from. */
export interface ManifestSource extends Pick<
  Operator,
  'name' | 'lease' | 'kinds' | 'requires' | 'webhooks' | 'policies' | 'optionalAccess'
> {
  /** The operator's namespace: of its Service, Lease and certificate. */
  namespace: string;
  /** `c5c3/keystone-operator:0.1.0` */
  image: string;
  controllers: readonly Controller[];
}

type Manifests = Readonly<Record<string, readonly KubeObject[]>>;

/**
 * The manifests of an operator by file: CRDs alone; everything; everything but CRDs for a single namespace, or for a list
 * of them, without webhooks, policies and access to Secrets elsewhere; the Role for each namespace of the list; and roles
 * that only some installations need.
 */
export function operatorManifests(source: ManifestSource): Manifests {
  const { optionalAccess = [], name, namespace } = source;
  const optional = `${name}-optional`;
  return {
    'crds.yaml': crds(source),
    'install.yaml': install(source),
    'install-namespaced.yaml': narrowInstall(source, 'own'),
    'install-namespaces.yaml': narrowInstall(source, 'listed'),
    'watched-namespace.yaml': watchedRole({ name, namespace }, narrowRules(source, 'listed').watched),
    ...(optionalAccess.length > 0 && {
      'optional-role.yaml': boundClusterRole({ name, namespace }, optional, optional, rulesOf(optionalAccess)),
    }),
  };
}

function namespaceManifest({ namespace }: ManifestSource): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
}

function crds({ kinds }: ManifestSource): CustomResourceDefinition[] {
  return kinds.map((kind) => crdOf(kind));
}

/** In the order in which it can be applied: namespace and RBAC first. */
function install(source: ManifestSource): KubeObject[] {
  const { name, lease = name, namespace, kinds, requires = [], webhooks = [], policies = [] } = source;
  const certificates = webhooks.length === 0 ? [] : [webhookCertificate({ name, namespace }).controller];
  const rules = accessRules({
    controllers: [...source.controllers, ...certificates, metricsCertificate(source)],
    further: [...webhooks.flatMap(({ access = [] }) => access), ...reviewAccess],
    requires: [...kinds, ...requires],
    lease: { namespace, name: lease },
  });
  const [account, ...workload] = operatorWorkload({ ...source, webhooks: webhooks.length > 0, watches: 'all' });
  return [
    namespaceManifest(source),
    ...crds(source),
    account,
    ...operatorRoles({ name, namespace }, rules),
    metricsReader(name),
    ...workload,
    ...webhookConfigurations(webhooks, { name, namespace }),
    ...policies.flatMap(admissionPolicyObjects),
  ];
}

function metricsCertificate({ name, namespace }: ManifestSource): Controller {
  return managedCertificate({ name, namespace, use: 'metrics' }).controller;
}

/** Without webhooks and policies: their objects are cluster-scoped. */
function narrowInstall(source: ManifestSource, watches: 'own' | 'listed'): KubeObject[] {
  const { name, namespace } = source;
  const [account, ...workload] = operatorWorkload({ ...source, webhooks: false, watches });
  const roles = [...narrowRoles({ name, namespace }, narrowRules(source, watches)), metricsReader(name)];
  return [namespaceManifest(source), account, ...roles, ...workload];
}

function narrowRules(source: ManifestSource, watches: 'own' | 'listed'): AccessRules {
  const { name, lease = name, namespace, kinds, requires = [], controllers } = source;
  return accessRules({
    controllers: [...controllers, metricsCertificate(source)],
    further: reviewAccess,
    requires: [...kinds, ...requires],
    lease: { namespace, name: lease },
    watches,
  });
}
