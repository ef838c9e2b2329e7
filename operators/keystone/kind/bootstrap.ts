// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type, type TString } from 'typebox';
import { secretReference } from './reference.ts';

export const publicEndpointMessage =
  'must be an http or https URL with a host, for example https://keystone.example.com/v3';

export const adminUserImmutable = 'bootstrap.adminUser is immutable';
export const regionImmutable = 'bootstrap.region is immutable';

/** A text that stays as it was written first: bootstrap would create another one beside it. */
const immutable = (text: TString, message: string): TString => ({ ...text, ...rule('self == oldSelf', message) });

/** A URL at which users reach an API. */
export function publicUrl(description: string): TString {
  return Type.String({
    maxLength: 2048,
    description,
    ...rule(
      "isURL(self) && url(self).getScheme() in ['http', 'https'] && url(self).getHostname() != ''",
      publicEndpointMessage,
    ),
  });
}

export const bootstrap = Type.Object(
  {
    adminUser: immutable(
      nonEmpty('Name of the first administrator. It cannot be changed.', { default: 'admin', maxLength: 255 }),
      adminUserImmutable,
    ),
    adminPasswordSecretRef: secretReference(
      "Secret with the administrator's password. A new password runs the bootstrap again.",
    ),
    region: immutable(
      nonEmpty('Name of the first region. It cannot be changed.', { default: 'RegionOne', maxLength: 255 }),
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
