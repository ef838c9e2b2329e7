// SPDX-License-Identifier: Apache-2.0
import { quoted } from '@forge/cluster/host/quoted.ts';
import type { Up } from './up.ts';

/**
 * The text shown when everything is up: where Keystone is, how to log in, what to try, how to stop. Paths are absolute
 * and `down` names the data folder, so that the commands work in any shell and folder.
 */
export function welcome({ data, url }: Pick<Up, 'data' | 'url'>, program: string): string {
  const file = (name: string) => shellWord(data.path(name));
  return `
Keystone is ready at ${url}

  Log in with curl:
    curl -si -H 'Content-Type: application/json' -d @${file('login.json')} ${url}/auth/tokens

  Log in with the OpenStack client:
    OS_CLIENT_CONFIG_FILE=${file('clouds.yaml')} openstack --os-cloud forge token issue

  Look into the cluster:
    export KUBECONFIG=${file('kubeconfig')}
    kubectl get keystone,mariadb,memcached,pods,jobs -A
    kubectl get externalsecret,pushsecret,clustersecretstore -A
    kubectl -n openstack logs deploy/keystone
    kubectl -n openstack patch keystone keystone --type merge -p '{"spec":{"replicas":2}}'

  See what runs, what waits for what, and where the logs are:
    ${shellWord(program)} status --data ${shellWord(data.dir)}

  Stop it, with Ctrl-C here or in another shell; the data stays:
    ${shellWord(program)} down --data ${shellWord(data.dir)}`;
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : quoted(path);
}
