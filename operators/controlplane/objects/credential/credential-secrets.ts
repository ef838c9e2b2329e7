// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { namesOf } from '../../api/names.ts';
import { ownerMark } from '../korc/korc-object.ts';
import { cloudsYamlKey, passwordDocument } from './clouds-yaml.ts';

/** The key of the secret that K-ORC mints the application credential with. */
export const valueKey = 'value';

/** The login by password, with which K-ORC creates and revokes the application credential. */
export function passwordCloudSecret(controlPlane: ControlPlane, password: SecretValue): Secret {
  return secret(namesOf(controlPlane).passwordCloud, cloudsYamlKey, passwordDocument(controlPlane, password));
}

/** The secret of an application credential that is to be minted. */
export function credentialSecret(controlPlane: ControlPlane, value: SecretValue): Secret {
  const { metadata, ...content } = secret(namesOf(controlPlane).applicationCredential, valueKey, value);
  return { ...content, metadata: { ...metadata, annotations: ownerMark(controlPlane) } };
}

/** A secret that nobody guesses. */
export function newValue(random: Random): SecretValue {
  return new SecretValue(Buffer.from(random.bytes(32)).toString('base64url'));
}

/** The value under a key; undefined when there is none, or an empty one. */
export function valueIn(from: Secret | undefined, key: string): SecretValue | undefined {
  const value = fieldOf(from?.data ?? {}, key);
  return value === undefined || value === '' ? undefined : SecretValue.fromBase64(value);
}

function secret(name: string, key: string, value: SecretValue): Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { [key]: value.base64() } };
}
