// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { parse } from 'yaml';
import type { ControlPlane } from '../../api/control-plane.ts';
import { authUrlOf } from '../../api/names.ts';
import { cloudNameOf, regionOf } from '../../api/settings.ts';

/** The key under which every Secret holds its clouds.yaml. */
export const cloudsYamlKey = 'clouds.yaml';

/** An application credential as a clouds.yaml needs it. */
interface CredentialLogin {
  readonly id: string;
  readonly secret: SecretValue;
}

/** A clouds.yaml that logs in as administrator by password. */
export function passwordDocument(controlPlane: ControlPlane, password: SecretValue): SecretValue {
  return document(controlPlane, [
    ['username', 'admin'],
    ['password', password.reveal()],
    ['project_name', 'admin'],
    ['user_domain_name', 'Default'],
    ['project_domain_name', 'Default'],
  ]);
}

/** A clouds.yaml that logs in by the admin application credential. */
export function credentialDocument(controlPlane: ControlPlane, { id, secret }: CredentialLogin): SecretValue {
  const auth = [
    ['application_credential_id', id],
    ['application_credential_secret', secret.reveal()],
  ] as const;
  return document(controlPlane, auth, ['auth_type: v3applicationcredential']);
}

/** K-ORC runs in the cluster, and knows `endpoint_type` but not its synonym `interface`. */
function document(
  controlPlane: ControlPlane,
  auth: readonly (readonly [string, string])[],
  entry: readonly string[] = [],
): SecretValue {
  const lines = [
    'clouds:',
    `  ${keyText(cloudNameOf(controlPlane))}:`,
    '    auth:',
    `      auth_url: ${quoted(authUrlOf(controlPlane))}`,
    ...auth.map(([name, value]) => `      ${name}: ${quoted(value)}`),
    ...[...entry, `region_name: ${quoted(regionOf(controlPlane))}`].map((line) => `    ${line}`),
    '    endpoint_type: internal',
    '    identity_api_version: 3',
  ];
  return new SecretValue(`${lines.join('\n')}\n`);
}

/** A name as a key: quoted unless it can only be read as text. */
function keyText(name: string): string {
  const isWord = /^[a-z][a-z0-9_-]*$/i.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name);
  return isWord ? name : quoted(name);
}

/** A scalar in double quotes: as JSON, with what YAML does not print escaped, too. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Changes with the document. */
export function documentHash(content: SecretValue): string {
  return createHash('sha256').update(content.bytes()).digest('hex');
}

/** Whether both log in by the same application credential at the same place, however they are written. */
export function hasSameLogin(a: SecretValue, b: SecretValue): boolean {
  const login = loginIn(a);
  return login !== undefined && (a.reveal() === b.reveal() || login === loginIn(b));
}

/** The password that a clouds.yaml logs in with; undefined when there is none. */
export function passwordIn(content: SecretValue): SecretValue | undefined {
  const password = loginsIn(content)
    .map(({ auth }) => auth['password'])
    .find(isText);
  return password === undefined ? undefined : new SecretValue(password);
}

/** The first login by application credential in a clouds.yaml, as a text to compare; undefined when there is none. */
function loginIn(content: SecretValue): string | undefined {
  for (const { cloud, auth } of loginsIn(content)) {
    const { auth_url: url, application_credential_id: id, application_credential_secret: secret } = auth;
    if (isText(id) && isText(secret)) return JSON.stringify([cloud, url, id, secret]);
  }
  return undefined;
}

function loginsIn(content: SecretValue): { cloud: string; auth: JsonObject }[] {
  const parsed = parsedYaml(content.reveal());
  const clouds = isObject(parsed) && isObject(parsed['clouds']) ? parsed['clouds'] : {};
  return Object.entries(clouds).map(([cloud, entry]) => ({
    cloud,
    auth: isObject(entry) && isObject(entry['auth']) ? entry['auth'] : {},
  }));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
