// SPDX-License-Identifier: Apache-2.0
import { relative } from 'node:path';
import type { Up } from './up.ts';

/** What the user reads when everything is up: where Keystone is, how to log in, what to try next. */
export function welcome({ data, url }: Up, directory: string): string {
  const file = (name: string) => quoted(shown(data.path(name), directory));
  return `
Keystone is ready at ${url}

  Log in with curl:
    curl -si -H 'Content-Type: application/json' -d @${file('login.json')} ${url}/auth/tokens

  Log in with the OpenStack client:
    OS_CLIENT_CONFIG_FILE=${file('clouds.yaml')} openstack --os-cloud forge token issue

  Look into the cluster:
    export KUBECONFIG=${file('kubeconfig')}
    kubectl get keystone,deploy,pods,jobs -A
    kubectl -n openstack logs deploy/keystone
    kubectl -n openstack patch keystone keystone --type merge -p '{"spec":{"replicas":2}}'

Ctrl-C here, or "npm run forge -- down" in another shell, stops it; the data stays in ${data.dir}.`;
}

/** The path as one would type it here. */
function shown(path: string, directory: string): string {
  const short = relative(directory, path);
  return short.startsWith('..') ? path : short;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
