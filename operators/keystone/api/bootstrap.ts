// SPDX-License-Identifier: Apache-2.0
import { immutable } from '@forge/kube/schema/checked-rule.ts';
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import { publicUrl } from '@forge/openstack/schema/public-url.ts';
import { secretReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';

// Bootstrap would create a second administrator or region, and the first administrator would keep all rights.
export const adminUserImmutable = immutable('bootstrap.adminUser is immutable');
export const regionImmutable = immutable('bootstrap.region is immutable');

export const bootstrap = Type.Object(
  {
    adminUser: nonEmpty('Name of the first administrator. It cannot be changed.', {
      default: defaults.adminUser,
      maxLength: 255,
      ...rules(adminUserImmutable),
    }),
    adminPasswordSecretRef: secretReference(
      "Secret with the administrator's password. A new password runs the bootstrap again.",
    ),
    region: nonEmpty('Name of the first region. It cannot be changed.', {
      default: defaults.region,
      maxLength: 255,
      ...rules(regionImmutable),
    }),
    publicEndpoint: Type.Optional(
      publicUrl(
        'Public URL of the identity service in the catalog, for clients that cannot resolve names of the cluster; the ' +
          'URL of the Service inside the cluster when absent. Set it together with gateway.',
      ),
    ),
  },
  { description: 'What "keystone-manage bootstrap" creates: the first administrator and the catalog entry.' },
);
