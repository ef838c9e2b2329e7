// SPDX-License-Identifier: Apache-2.0
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type, type TString } from 'typebox';

export const publicEndpointMessage =
  'must be an http or https URL with a host, for example https://keystone.example.com/v3';

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
