// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { publicUrl } from '@forge/openstack/schema/public-url.ts';
import { secretReference } from '@forge/openstack/schema/reference.ts';
import { Type, type TString } from 'typebox';
import { defaults } from './defaults.ts';

export const adminUserImmutable = 'bootstrap.adminUser is immutable';
export const regionImmutable = 'bootstrap.region is immutable';

/** A text that cannot change: bootstrap would create a second administrator or region beside the first. */
const immutable = (text: TString, message: string): TString => ({ ...text, ...rule('self == oldSelf', message) });

export const bootstrap = Type.Object(
  {
    adminUser: immutable(
      nonEmpty('Name of the first administrator. It cannot be changed.', {
        default: defaults.adminUser,
        maxLength: 255,
      }),
      adminUserImmutable,
    ),
    adminPasswordSecretRef: secretReference(
      "Secret with the administrator's password. A new password runs the bootstrap again.",
    ),
    region: immutable(
      nonEmpty('Name of the first region. It cannot be changed.', { default: defaults.region, maxLength: 255 }),
      regionImmutable,
    ),
    publicEndpoint: Type.Optional(
      publicUrl(
        'Public URL of the identity service in the catalog, for clients that cannot resolve names of the cluster; the ' +
          'URL of the Service inside the cluster when absent. Set it together with gateway.',
      ),
    ),
  },
  { description: 'What "keystone-manage bootstrap" creates: the first administrator and the catalog entry.' },
);
