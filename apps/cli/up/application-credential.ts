// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import { parse } from 'yaml';
import type { Credential } from './identity.ts';

/** The application credential in the clouds.yaml of a Secret; undefined when there is none. */
export function credentialIn(secret: Secret | undefined, cloud: string): Credential | undefined {
  const text = Buffer.from(secret?.data?.['clouds.yaml'] ?? '', 'base64').toString();
  const document: unknown = parse(text);
  const clouds = isObject(document) && isObject(document['clouds']) ? document['clouds'] : {};
  const entry = clouds[cloud];
  const auth = isObject(entry) && isObject(entry['auth']) ? entry['auth'] : {};
  const { application_credential_id: id, application_credential_secret: value } = auth;
  return typeof id === 'string' && typeof value === 'string' ? { id, secret: value } : undefined;
}
