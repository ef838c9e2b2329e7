// SPDX-License-Identifier: Apache-2.0
import type { Connection, ReadFile } from './connection.ts';
import type { KubeconfigEntry } from './kubeconfig-entry.ts';
import { kubeconfigFiles } from './kubeconfig-files.ts';

/**
 * The connection of the current context, or of another one. Several kubeconfigs are merged as kubectl merges those in
 * `$KUBECONFIG`. Unsupported fields are refused by name, never ignored.
 */
export async function readKubeconfig(
  paths: readonly string[],
  readFile: ReadFile,
  contextName?: string,
): Promise<Connection> {
  const config = await kubeconfigFiles(paths, readFile);
  const wanted = contextName ?? config.currentContext;
  const context = config.find('context', wanted);
  const cluster = config.find('cluster', context?.text('cluster'));
  const server = cluster?.text('server');
  const place = `kubeconfig ${paths.join(', ')}`;
  if (context === undefined || cluster === undefined || server === undefined) {
    throw new Error(
      `${place} has no server for the context ${JSON.stringify(wanted)}; choose one with kubectl config use-context`,
    );
  }
  const userName = context.text('user');
  const user = config.find('user', userName);
  if (userName !== undefined && user === undefined) {
    throw new Error(
      `${place} has no user ${JSON.stringify(userName)}, which the context ${JSON.stringify(wanted)} names`,
    );
  }
  return {
    server: urlOf(cluster, 'server', server),
    ...(await trustOf(cluster)),
    ...(user && (await credentialsOf(user))),
  };
}

/** How to connect to the server, and which certificate it must have. */
async function trustOf(cluster: KubeconfigEntry): Promise<Partial<Connection>> {
  const ca = await cluster.pem('certificate-authority');
  const insecureSkipTlsVerify = cluster.isTrue('insecure-skip-tls-verify');
  if (insecureSkipTlsVerify && ca !== undefined) {
    throw new Error(
      `${cluster.place} has both insecure-skip-tls-verify and a certificate-authority, which contradict each other; remove one`,
    );
  }
  const proxyUrl = cluster.text('proxy-url');
  return defined({
    ca,
    insecureSkipTlsVerify: insecureSkipTlsVerify || undefined,
    tlsServerName: cluster.text('tls-server-name'),
    proxyUrl: proxyUrl && urlOf(cluster, 'proxy-url', proxyUrl),
  });
}

async function credentialsOf(user: KubeconfigEntry): Promise<Partial<Connection>> {
  const unsupported = ['exec', 'auth-provider', 'username', 'password'].find((field) => user.has(field));
  if (unsupported !== undefined) {
    throw new Error(
      `${user.place} gets its credentials by ${unsupported}, which is not supported; use a certificate or a token`,
    );
  }
  const [cert, key] = [await user.pem('client-certificate'), await user.pem('client-key')];
  if ((cert === undefined) !== (key === undefined)) {
    const [has, lacks] =
      cert === undefined ? ['client-key', 'client-certificate'] : ['client-certificate', 'client-key'];
    throw new Error(`${user.place} has a ${has} without a ${lacks}; add it`);
  }
  return defined({
    cert,
    key,
    token: user.text('token'),
    tokenFile: user.path('tokenFile'),
    impersonate: impersonationOf(user),
  });
}

function impersonationOf(user: KubeconfigEntry): Connection['impersonate'] {
  if (user.has('as-user-extra')) {
    throw new Error(`${user.place} impersonates with as-user-extra, which is not supported; remove it`);
  }
  const [name, uid, groups] = [user.text('as'), user.text('as-uid'), user.texts('as-groups')];
  if (name !== undefined)
    return { user: name, ...(uid !== undefined && { uid }), ...(groups.length > 0 && { groups }) };
  if (uid === undefined && groups.length === 0) return undefined;
  throw new Error(`${user.place} has as-uid or as-groups without as; name the user to impersonate, or remove them`);
}

/** The URL in a field; errors do not quote it, since it may contain a password. */
function urlOf({ place }: KubeconfigEntry, field: string, text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  const [, scheme] = /^([\w+.-]+):\/\//.exec(text) ?? [];
  const found = scheme === undefined ? '' : `; ${scheme} is not supported`;
  throw new Error(`${place}: ${field} must be a URL that begins with https:// or http://${found}`);
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A kubeconfig with one cluster, one user and one context, all of this name. */
export function kubeconfig({ name, server, ca, cert, key, token }: Connection & { name: string }): string {
  const quoted = JSON.stringify(name);
  return [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${quoted}`,
    'clusters:',
    `  - name: ${quoted}`,
    '    cluster:',
    `      server: ${JSON.stringify(server)}`,
    ...data('certificate-authority-data', ca),
    'users:',
    `  - name: ${quoted}`,
    '    user:',
    ...data('client-certificate-data', cert),
    ...data('client-key-data', key),
    ...(token === undefined ? [] : [`      token: ${JSON.stringify(token)}`]),
    'contexts:',
    `  - name: ${quoted}`,
    '    context:',
    `      cluster: ${quoted}`,
    `      user: ${quoted}`,
    '',
  ].join('\n');
}

function data(field: string, pem: string | undefined): string[] {
  return pem === undefined ? [] : [`      ${field}: ${Buffer.from(pem).toString('base64')}`];
}
