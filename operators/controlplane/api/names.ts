// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { ControlPlane } from './control-plane.ts';
import { defaults } from './defaults.ts';
import { keystoneNameOf, secretNamesOf, syncedSecretNamesOf } from './secret-names.ts';
import { cloudsYamlOf, isManaged } from './settings.ts';

/** Names of the children; those of MariaDB and Memcached are in the spec. */
export function namesOf(controlPlane: ControlPlane) {
  const { name } = controlPlane.metadata;
  return {
    keystone: keystoneNameOf(name),
    /** Secrets; an ApplicationCredential, and two ExternalSecrets. */
    ...secretNamesOf(name),
    ...syncedSecretNamesOf(name),
    /** PushSecret. */
    backup: `${name}-admin-app-credential-backup`,
    /** ExternalSecret and Secret with the clouds.yaml of the application credential. */
    cloudsYaml: cloudsYamlOf(controlPlane),
    domain: `${name}-domain-default`,
    user: `${name}-user-admin`,
    identityService: `${name}-identity-service`,
    identityEndpoint: `${name}-identity-endpoint`,
  };
}

/** Where OpenBao holds the credentials, below the mount. */
export function remoteKeysOf(controlPlane: ControlPlane) {
  const { name, namespace } = controlPlane.metadata;
  return {
    database: `openstack/keystone/${namespace}/${name}/db`,
    adminPassword: `bootstrap/${namespace}/${namesOf(controlPlane).keystone}/admin`,
    applicationCredential: `openstack/keystone/${namespace}/${name}/admin/app-credential`,
  };
}

/** What the names of all application credentials of a ControlPlane in Keystone begin with. */
export const credentialPrefixOf = ({ metadata: { name, namespace } }: ControlPlane) => `${namespace}.${name}.`;

/** Name of the application credential in Keystone: another one for every secret value. */
export const credentialNameOf = (controlPlane: ControlPlane, value: string) =>
  credentialPrefixOf(controlPlane) + createHash('sha256').update(value).digest('hex').slice(0, 12);

/** The Secret, and its key, that holds the admin password. */
export function passwordRefOf(controlPlane: ControlPlane): { name: string; key: string } {
  if (isManaged(controlPlane)) return { name: namesOf(controlPlane).adminPassword, key: defaults.passwordKey };
  const { name, key } = controlPlane.spec.korc.adminCredential.passwordSecretRef;
  return { name, key: key || defaults.passwordKey };
}

/** URL of the identity API inside the cluster. */
export const authUrlOf = (controlPlane: ControlPlane) =>
  `http://${namesOf(controlPlane).keystone}.${controlPlane.metadata.namespace}.svc:5000/v3`;

/** The identity API inside the cluster, by URL and by Service. */
export const identityAddressOf = (controlPlane: ControlPlane) => ({
  url: authUrlOf(controlPlane),
  service: { namespace: controlPlane.metadata.namespace ?? '', name: namesOf(controlPlane).keystone, port: 5000 },
});

/** URL of the identity API as users know it; undefined when it is reached inside the cluster only. */
export function publicUrlOf({ spec }: ControlPlane): string | undefined {
  const { publicEndpoint, gateway } = spec.services.keystone;
  return publicEndpoint || (gateway && `https://${gateway.hostname}/v3`);
}

/** URL of the identity API in the catalog. */
export const catalogUrlOf = (controlPlane: ControlPlane) => publicUrlOf(controlPlane) ?? authUrlOf(controlPlane);

/** Annotation on the ApplicationCredential: digest of the admin password that it was minted with; empty asks for a new one. */
export const passwordHashAnnotation = 'forge.c5c3.io/admin-password-hash';

/** Annotation on the ApplicationCredential: uid of the Keystone that it was minted in. */
export const keystoneUidAnnotation = 'forge.c5c3.io/keystone-uid';

/** Annotation on the ApplicationCredential: the database of that Keystone, as its status names it. */
export const keystoneDatabaseAnnotation = 'forge.c5c3.io/keystone-database';

/** Annotation on the entries of the catalog: id of the administrator in the Keystone that they are registered in. */
export const administratorAnnotation = 'forge.c5c3.io/admin-user-id';

/** Annotation on ExternalSecrets: every new value makes External Secrets read the store again. */
export const forceSyncAnnotation = 'external-secrets.io/force-sync';

/** Label on Secrets that External Secrets has made. */
export const managedSecretLabel = 'reconcile.external-secrets.io/managed';

/** Label on Secrets that mariadb-operator watches. */
export const mariadbWatchLabel = 'k8s.mariadb.com/watch';

/** Annotation on the login by password: its ControlPlane is deleted in the foreground, also once the finalizer for that is gone. */
export const propagationAnnotation = 'forge.c5c3.io/deletion-propagation';

/** Finalizer that holds a ControlPlane until its K-ORC objects are deleted. */
export const teardownFinalizer = 'c5c3.io/orc-teardown';

/** What all finalizers of K-ORC begin with. */
export const korcFinalizerPrefix = 'openstack.k-orc.cloud/';

/** Whether a finalizer is K-ORC's: its own on an object, or a guard on what the object needs. */
export const isKorcFinalizer = (finalizer: string) => finalizer.startsWith(korcFinalizerPrefix);

/** What the names of all metrics begin with. */
export const metricPrefix = 'c5c3_operator';

/** Field manager of everything the operator applies. */
export const fieldManager = 'forge-operator';
