// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { ConfigMap, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { fieldOf, isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient, type HttpClient } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { vaultHttp } from './vault-http.ts';
import type { VaultClient, Vaults } from './vault.ts';

/** The dependencies of connections over the cluster's network. */
interface NetworkVaultOptions {
  client: Client;
  clock: Clock;
  dial: Dial;
}

type VaultProvider = NonNullable<ClusterSecretStore['spec']['provider']['vault']>;
type KeyReference = NonNullable<NonNullable<VaultProvider['auth']>['tokenSecretRef']>;

/** The lifetime of a ServiceAccount's token that a login uses. */
const loginTokenSeconds = 600;

/** Connects to the servers of stores over HTTPS, with the login of each store. */
export function networkVaults({ client, clock, dial }: NetworkVaultOptions): Vaults {
  return {
    async connect({ metadata, spec }) {
      const { vault } = spec.provider;
      if (vault === undefined)
        throw new Error(`this stand-in supports only provider.vault: ClusterSecretStore ${metadata.name}`);
      const ca = await authoritiesOf(vault, client);
      const http = httpClient({ clock, dial, ...(ca !== undefined && { ca }) });
      const { server } = vault;
      if (vault.auth?.tokenSecretRef !== undefined) {
        const token = await keyOf(vault.auth.tokenSecretRef, client);
        return session({ http, server, token }, 'static');
      }
      return session({ http, server, token: await login(vault, http, client) }, 'issued');
    },
  };
}

/** A session with this token; a token from a login is revoked at its end. */
function session(
  options: { http: HttpClient; server: string; token: SecretValue },
  origin: 'static' | 'issued',
): VaultClient {
  const { call } = vaultHttp(options);
  return {
    lookupSelf: async () => void (await call('GET', 'auth/token/lookup-self')),
    async get(path) {
      const content = (await call('GET', path))?.['data'];
      return isObject(content) ? content : undefined;
    },
    put: async (path, body) => void (await call('PUT', path, body)),
    delete: async (path) => void (await call('DELETE', path)),
    async close() {
      if (origin === 'issued') await call('PUT', 'auth/token/revoke-self');
    },
  };
}

/** The certificate authorities of the server, in PEM; undefined for the well-known ones. */
async function authoritiesOf({ caBundle, caProvider }: VaultProvider, client: Client): Promise<string | undefined> {
  if (caBundle !== undefined) return Buffer.from(caBundle, 'base64').toString();
  if (caProvider === undefined) return undefined;
  const { type, name, namespace = '', key = 'ca.crt' } = caProvider;
  if (type === 'Secret') return (await keyOf({ namespace, name, key }, client)).reveal();
  const text = (await client.get(ConfigMap, { namespace, name })).data?.[key];
  if (text === undefined) throw new Error(`ConfigMap ${namespace}/${name} has no key ${key}`);
  return text;
}

async function keyOf({ namespace, name = '', key = '' }: KeyReference, client: Client): Promise<SecretValue> {
  const { data = {} } = await client.get(Secret, { namespace, name });
  const value = fieldOf(data, key);
  if (value === undefined) throw new Error(`Secret ${namespace}/${name} has no key ${key}`);
  return SecretValue.fromBase64(value);
}

/** Logs in with a token of the ServiceAccount that the store names. */
async function login({ auth, server }: VaultProvider, http: HttpClient, client: Client): Promise<SecretValue> {
  const { mountPath = 'kubernetes', role, serviceAccountRef } = auth?.kubernetes ?? {};
  if (role === undefined || serviceAccountRef === undefined) {
    throw new Error('this stand-in logs in by auth.kubernetes with a serviceAccountRef, or by auth.tokenSecretRef');
  }
  const { name, namespace = '', audiences } = serviceAccountRef;
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { namespace, name },
    spec: { expirationSeconds: loginTokenSeconds, ...(audiences !== undefined && { audiences }) },
  };
  const issued = await client.create<KubeObject>(ServiceAccount, request, { subresource: 'token' });
  const { token: jwt } = (issued as KubeObject & { status: { token: string } }).status;
  const answer = await vaultHttp({ http, server }).call('PUT', `auth/${mountPath}/login`, { jwt, role });
  const token = isObject(answer?.['auth']) ? answer['auth']['client_token'] : undefined;
  if (typeof token !== 'string') throw new Error(`PUT auth/${mountPath}/login: the response has no token`);
  return new SecretValue(token);
}
