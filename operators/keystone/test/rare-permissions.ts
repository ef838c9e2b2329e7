// SPDX-License-Identifier: Apache-2.0
import type { Permission } from '@forge/testing/permissions.ts';

const exists = 'a create finds that the object exists, after its answer was lost';

/** Permissions that the ordinary lifecycle of a Keystone does not use, and what uses them. */
export const rarePermissions: Readonly<Record<Permission, string>> = {
  'delete configmaps': 'old configurations are pruned after several changes',
  'delete cronjobs.batch': 'trustFlush is removed from a Keystone without webhooks',
  'delete deployments.apps': 'somebody replaced the Deployment by one with another selector, which cannot be changed',
  'get configmaps': exists,
  'get jobs.batch': exists,
  'get secrets': 'a Keystone names a Secret that was not read before, and its content is not cached',
  'patch events': 'an Event is repeated',
};

/** Permissions that the steps of a Keystone do not use. */
export const permissionsOfOthers: Readonly<Record<Permission, string>> = {
  'update keystones/finalizers.keystone.openstack.c5c3.io':
    'no request: the admission plugin OwnerReferencesPermissionEnforcement asks for it, which is enabled here',
  'update secrets keystone-operator-webhook-cert': 'the certificate of the webhooks is renewed',
  'update secrets keystone-operator-metrics-cert': 'the certificate of the metrics is renewed',
};
