// SPDX-License-Identifier: Apache-2.0
import { quoted } from '@forge/cluster/host/quoted.ts';
import { clouds, loginFiles } from './login-files.ts';
import type { Up } from './up.ts';

/**
 * The text shown when everything is up: the tree of the demo's resources, what to try, how to stop, how to log in. Paths are
 * absolute and `down` names the data folder, so that the commands work in any shell and folder.
 */
export function welcome(
  { demo, data, url }: Pick<Up, 'demo' | 'data' | 'url'>,
  program: string,
  tree: readonly string[],
): string {
  const file = (name: string) => shellWord(data.path(name));
  const { namespace, keystone, resources, cloudsYaml } = demo;
  const patched = cloudsYaml ? '{"spec":{"services":{"keystone":{"replicas":2}}}}' : '{"spec":{"replicas":2}}';
  const [first] = resources;
  const plural = first.kind.plural;
  const kinds = [...resources.map(({ kind }) => kind.singular), 'mariadb', 'memcached', 'pods', 'jobs'].join(',');
  const credentialKinds = cloudsYaml ? ['openstack'] : [];
  return `
Keystone is ready at ${url}

${tree.map((line) => `  ${line}`).join('\n')}

  Look into the cluster:
    export KUBECONFIG=${file('kubeconfig')}
    kubectl get ${kinds} -A
    kubectl get ${['externalsecret', 'pushsecret', 'clustersecretstore', ...credentialKinds].join(',')} -A
    kubectl -n ${namespace} logs deploy/${keystone}
    kubectl -n ${namespace} patch ${plural} ${first.name} --type merge -p '${patched}'

  See what runs, what waits for what, and where the logs are:
    ${shellWord(program)} status --data ${shellWord(data.dir)}

  Stop it, with Ctrl-C here or in another shell; the data stays:
    ${shellWord(program)} down --data ${shellWord(data.dir)}

  Log in by password:
${logins(loginFiles.password, clouds.password)}${
    cloudsYaml
      ? `

  Log in by the admin application credential; the files follow its rotations:
${logins(loginFiles.credential, clouds.credential)}`
      : ''
  }`;

  function logins(body: string, cloud: string): string {
    return [
      `    curl -si -H 'Content-Type: application/json' -d @${file(body)} ${url}/auth/tokens`,
      `    OS_CLIENT_CONFIG_FILE=${file('clouds.yaml')} openstack --os-cloud ${cloud} token issue`,
    ].join('\n');
  }
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : quoted(path);
}
