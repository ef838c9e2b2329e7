// SPDX-License-Identifier: Apache-2.0
import { dirname, resolve } from 'node:path';
import type { Connection, ReadFile } from './connection.ts';

interface Config {
  'current-context'?: string;
  contexts?: { name: string; context: { cluster: string; user: string } }[];
  clusters?: { name: string; cluster: Record<string, string> }[];
  users?: { name: string; user: Record<string, string> }[];
}

/** The connection of the kubeconfig's current context, or of another context. */
export async function readKubeconfig(path: string, readFile: ReadFile, contextName?: string): Promise<Connection> {
  const config = await parsed(path, await readable(`kubeconfig ${path}`, path, readFile));
  const wanted = contextName ?? config['current-context'] ?? '';
  const context = config.contexts?.find(({ name }) => name === wanted)?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user ?? {};
  const server = cluster?.['server'];
  if (cluster === undefined || server === undefined) {
    throw new Error(
      `kubeconfig ${path} has no server for the context ${JSON.stringify(wanted)}; choose one with kubectl config use-context`,
    );
  }
  const unsupported = ['exec', 'auth-provider'].find((way) => way in user);
  if (unsupported !== undefined) {
    throw new Error(
      `kubeconfig ${path} gets its credentials by ${unsupported}, which is not supported; use a certificate or a token`,
    );
  }
  const resolvePath = (file: string): string => resolve(dirname(path), file);
  const pem = (entry: Record<string, string>, field: string): Promise<string | undefined> =>
    pemOf(entry, field, (file) => {
      const resolved = resolvePath(file);
      return readable(`kubeconfig ${path}: ${field} ${resolved}`, resolved, readFile);
    });
  const [ca, cert, key] = [
    await pem(cluster, 'certificate-authority'),
    await pem(user, 'client-certificate'),
    await pem(user, 'client-key'),
  ];
  const { token, tokenFile } = user as { token?: string; tokenFile?: string };
  return {
    server,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile: resolvePath(tokenFile) }),
  };
}

/** The text of a file; the system's own errors do not always name it. */
async function readable(what: string, path: string, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The parsed text; the YAML parser is loaded only when it is not JSON. Errors quote nothing of it: it may be a token. */
async function parsed(path: string, text: string): Promise<Config> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as Config;
    } catch {
      throw new Error(`kubeconfig ${path} is not valid JSON; correct it, or write it anew with kubectl config`);
    }
  }
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    throw new Error(
      `kubeconfig ${path} is not valid YAML at line ${line}, column ${col}; correct it, or write it anew with kubectl config`,
    );
  }
  return (document.toJS() ?? {}) as Config;
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

/** A certificate or key that is in the kubeconfig itself or in a file it names. */
async function pemOf(entry: Record<string, string>, field: string, read: ReadFile): Promise<string | undefined> {
  const base64 = entry[`${field}-data`];
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString();
  const file = entry[field];
  return file === undefined ? undefined : read(file);
}

function data(field: string, pem: string | undefined): string[] {
  return pem === undefined ? [] : [`      ${field}: ${Buffer.from(pem).toString('base64')}`];
}
