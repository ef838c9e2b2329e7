// SPDX-License-Identifier: Apache-2.0
import type { Permission } from '@forge/testing/permissions.ts';

const exists = 'a create finds that the object exists: somebody else made it just then, or an answer was lost';

/** Permissions that the ordinary lifecycle of a ControlPlane does not use, and what uses them. */
export const rarePermissions: Readonly<Record<Permission, string>> = {
  'get mariadbs.k8s.mariadb.com': exists,
  'get memcacheds.memcached.c5c3.io': exists,
  'get namespaces': 'a credential cannot be revoked, and an Event names it where it can be written',
};

/** Permissions that the steps of a ControlPlane do not use. */
export const permissionsOfOthers: Readonly<Record<Permission, string>> = {
  'patch events': 'an Event is repeated, which the recorder of Events counts',
  'update controlplanes/finalizers.c5c3.io':
    'no request: the admission plugin OwnerReferencesPermissionEnforcement asks for it, which is enabled here',
  'delete keystones.keystone.openstack.c5c3.io': 'no request: the same plugin asks for it before an owner is added',
  'delete mariadbs.k8s.mariadb.com': 'no request: the same plugin asks for it before an owner is added',
  'delete memcacheds.memcached.c5c3.io': 'no request: the same plugin asks for it before an owner is added',
  'update secrets c5c3-operator-webhook-cert': 'the certificate of the webhooks is renewed',
  'update secrets c5c3-operator-metrics-cert': 'the certificate of the metrics is renewed',
  'watch customresourcedefinitions.apiextensions.k8s.io': 'a kind of another operator is not installed',
};
