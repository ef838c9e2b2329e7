// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { fieldOf, isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { parse } from 'yaml';

/** The login to a Keystone: one entry of a clouds.yaml. */
export interface Cloud {
  /** Changes with the entry or the certificate authorities. */
  readonly hash: string;
  readonly authUrl: string;
  /** The body of a login. */
  readonly login: JsonObject;
  readonly region: string | undefined;
  /** The interface of the identity endpoint for all calls except the login. */
  readonly interface: string;
  /** The certificate authorities of the server, in PEM. Default: the well-known ones. */
  readonly ca: string | undefined;
}

/** The entry of this name in the clouds.yaml of a Secret; throws when it is missing or unsupported. */
export function cloudOf({ metadata, data = {} }: Secret, cloudName: string): Cloud {
  const [document, ca] = ['clouds.yaml', 'cacert'].map((key) => decoded(fieldOf(data, key)));
  if (document === undefined) throw new Error(`Secret ${metadata.name} has no key clouds.yaml`);
  const content: unknown = parse(document);
  const clouds = isObject(content) ? content['clouds'] : undefined;
  const entry = isObject(clouds) ? fieldOf(clouds, cloudName) : undefined;
  if (!isObject(entry)) throw new Error(`clouds.yaml of Secret ${metadata.name} has no cloud ${cloudName}`);
  const auth = isObject(entry['auth']) ? entry['auth'] : {};
  const authUrl = textAt(auth, 'auth_url') ?? '';
  if (entry['verify'] === false && authUrl.startsWith('https:')) {
    throw new Error(
      `this stand-in verifies certificates: cloud ${cloudName} of Secret ${metadata.name} has verify: false`,
    );
  }
  return {
    hash: createHash('sha256')
      .update(JSON.stringify([entry, ca]))
      .digest('hex'),
    authUrl,
    login: { auth: loginBody(auth) },
    region: textAt(entry, 'region_name'),
    interface: textAt(entry, 'endpoint_type') ?? 'public',
    ca,
  };
}

function loginBody(auth: JsonObject): JsonObject {
  const id = textAt(auth, 'application_credential_id');
  if (id !== undefined) {
    const credential = { id, secret: textAt(auth, 'application_credential_secret') };
    return { identity: { methods: ['application_credential'], application_credential: credential } };
  }
  const user = { ...named(auth, 'user', 'username'), password: textAt(auth, 'password') };
  const project = named(auth, 'project', 'project_name');
  return {
    identity: { methods: ['password'], password: { user } },
    ...(project !== undefined && { scope: { project } }),
  };
}

/** A user or project by id, or by name and domain; undefined when the entry has neither. */
function named(auth: JsonObject, what: 'user' | 'project', nameField: string): JsonObject | undefined {
  const id = textAt(auth, `${what}_id`);
  if (id !== undefined) return { id };
  const name = textAt(auth, nameField);
  if (name === undefined) return undefined;
  const domainId = textAt(auth, `${what}_domain_id`) ?? textAt(auth, 'domain_id');
  const domainName = textAt(auth, `${what}_domain_name`) ?? textAt(auth, 'domain_name');
  return { name, domain: domainId === undefined ? { name: domainName } : { id: domainId } };
}

function textAt(object: JsonObject, field: string): string | undefined {
  const value = fieldOf(object, field);
  return typeof value === 'string' ? value : undefined;
}

function decoded(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}
