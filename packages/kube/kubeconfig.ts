// SPDX-License-Identifier: Apache-2.0

/** The way to one cluster as one user; certificates and keys are PEM texts. */
export interface Connection {
  server: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
}

interface Config {
  'current-context'?: string;
  contexts?: { name: string; context: { cluster: string; user: string } }[];
  clusters?: { name: string; cluster: Record<string, string> }[];
  users?: { name: string; user: Record<string, string> }[];
}

/** The connection a kubeconfig's current context names. Certificates must be embedded, not files. */
export async function readKubeconfig(text: string): Promise<Connection> {
  const { parse } = await import('yaml');
  const config = (parse(text) ?? {}) as Config;
  const current = config['current-context'];
  const context = config.contexts?.find(({ name }) => name === current)?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user ?? {};
  const server = cluster?.['server'];
  if (cluster === undefined || server === undefined) {
    throw new Error(
      `The kubeconfig names no server for its current context ${JSON.stringify(current ?? '')}; choose one with kubectl config use-context`,
    );
  }
  const ca = embedded(cluster, 'certificate-authority');
  const cert = embedded(user, 'client-certificate');
  const key = embedded(user, 'client-key');
  const token = user['token'];
  return {
    server,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(token !== undefined && { token }),
  };
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

function embedded(entry: Record<string, string>, field: string): string | undefined {
  if (entry[field] !== undefined) {
    throw new Error(`The kubeconfig keeps its ${field} in a file; embed it with kubectl config view --raw --flatten`);
  }
  const base64 = entry[`${field}-data`];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}

function data(field: string, pem: string | undefined): string[] {
  return pem === undefined ? [] : [`      ${field}: ${Buffer.from(pem).toString('base64')}`];
}
