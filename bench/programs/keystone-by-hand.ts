// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { identity, passwordLogin } from '@forge/cli/up/identity.ts';
import { toolbox } from '@forge/cluster/host/toolbox.ts';
import type { AssembledImage } from '@forge/cluster/images/image-store.ts';
import { vaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { uwsgiCommand } from '@forge/keystone/objects/api/uwsgi-command.ts';
import { configFiles } from '@forge/keystone/objects/config/config-files.ts';
import { keystoneManage } from '@forge/keystone/objects/jobs/job.ts';
import { keystoneFixture } from '@forge/keystone/test/keystone-fixture.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';

/** The images by name, and an empty folder. */
export interface ByHand {
  folder: string;
  tools: string;
  images: Record<'mariadb' | 'memcached' | 'openbao' | 'keystone', AssembledImage>;
}

/** A command in an image, with folders of the host. */
interface Command {
  image: AssembledImage;
  command: readonly string[];
  binds?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
}

// Runs the commands that bring up a Keystone, in its own network namespace, like a user by hand: each one as soon as
// its dependencies respond. Prints the seconds from the first command to a token and to the end of the last program.
const { folder, tools, images } = JSON.parse(process.argv[2] ?? '') as ByHand;
const password = 'by-hand';
const running: ChildProcess[] = [];
const start = performance.now();
const passed = () => (performance.now() - start) / 1000;

await Promise.all([startMariadb(), startMemcached(), startOpenBao()]);
const configuration = await writeConfiguration();
const keystone = (command: readonly string[]): Command => ({
  image: images.keystone,
  command,
  binds: { '/etc/keystone': configuration },
  env: { OS_DATABASE__CONNECTION: `mysql+pymysql://keystone:${password}@127.0.0.1/keystone` },
});
await finished(keystone([...keystoneManage, 'fernet_setup']));
await finished(keystone([...keystoneManage, 'credential_setup']));
await finished(keystone([...keystoneManage, 'db_sync']));
await finished(keystone([...keystoneManage, 'db_sync', '--check']));
const api = 'http://127.0.0.1:5000/v3';
started(keystone(uwsgiCommand(keystoneFixture())));
await until(async () => (await fetch(api)).status === 200);
await finished(
  keystone([...keystoneManage, 'bootstrap', '--bootstrap-password', password, '--bootstrap-public-url', api]),
);
const token = await identity(api).login(passwordLogin(password));
if (token === undefined) throw new Error('the password is rejected');
const toToken = passed();
for (const child of running) child.kill('SIGTERM');
await Promise.all(running.map(async (child) => child.exitCode ?? once(child, 'exit')));
console.log(JSON.stringify({ toToken, total: passed() }));
process.exit();

async function startMariadb(): Promise<void> {
  const data = await newFolder('mysql');
  const accounts = { MARIADB_USER: 'keystone', MARIADB_PASSWORD: password, MARIADB_DATABASE: 'keystone' };
  started({
    image: images.mariadb,
    command: ['docker-entrypoint.sh', 'mariadbd'],
    binds: { '/var/lib/mysql': data, '/run/mysqld': await newFolder('mysqld') },
    env: { MARIADB_ROOT_PASSWORD: password, ...accounts },
  });
  await until(() => accepts(3306));
}

async function startMemcached(): Promise<void> {
  started({ image: images.memcached, command: ['memcached'] });
  await until(() => accepts(11211));
}

async function startOpenBao(): Promise<void> {
  const configured = await newFolder('openbao');
  await writeFile(join(configured, 'key'), Buffer.alloc(32, 7));
  await writeFile(
    join(configured, 'config.hcl'),
    `api_addr = "http://127.0.0.1:8200"
cluster_addr = "https://127.0.0.1:8201"
listener "tcp" {
  address = "127.0.0.1:8200"
  tls_disable = true
}
storage "raft" {
  path = "/openbao/file"
  node_id = "one"
  performance_multiplier = 1
}
seal "static" {
  current_key_id = "one"
  current_key = "file:///openbao/config/key"
}
`,
  );
  started({
    image: images.openbao,
    command: [...images.openbao.entrypoint, 'server', '-config=/openbao/config/config.hcl'],
    binds: { '/openbao/config': configured, '/openbao/file': await newFolder('openbao-file') },
  });
  const options = { http: httpClient({ clock }), server: 'http://127.0.0.1:8200' };
  const { call } = vaultHttp(options);
  await until(() => accepts(8200));
  const { root_token: root } = (await call('PUT', 'sys/init', {})) ?? {};
  await until(async () => (await call('GET', 'sys/health')) !== undefined);
  const asRoot = vaultHttp({ ...options, token: new SecretValue(String(root)) });
  await asRoot.call('PUT', 'sys/mounts/kv-v2', { type: 'kv', options: { version: '2' } });
  await until(async () => (await asRoot.call('GET', 'kv-v2/config')) !== undefined);
  for (const path of ['database', 'admin']) await asRoot.call('PUT', `kv-v2/data/${path}`, { data: { password } });
}

async function writeConfiguration(): Promise<string> {
  const path = await newFolder('keystone');
  for (const name of ['fernet-keys', 'credential-keys', 'keystone.conf.d']) {
    await mkdir(join(path, name), { mode: 0o700 });
  }
  const cache = { backend: 'oslo_cache.memcache_pool', servers: ['127.0.0.1:11211'] };
  const files = configFiles(keystoneFixture({ cache }), {});
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, 'keystone.conf.d', name), text);
  return path;
}

async function newFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { mode: 0o700 });
  return path;
}

function sandboxed({ image, command, binds = {}, env = {} }: Command): string[] {
  const { uid, gid } = image.user;
  return [
    toolbox(tools).bwrap,
    ['--unshare-user', '--uid', String(uid), '--gid', String(gid), '--die-with-parent', '--new-session'],
    ['--ro-bind', image.root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...image.mounts.map(({ source, target }) => ['--ro-bind', source, target]),
    ...Object.entries(binds).map(([target, source]) => ['--bind', source, target]),
    ['--clearenv'],
    ...Object.entries({ ...image.env, ...env }).map(([name, value]) => ['--setenv', name, value]),
    ['--', ...command],
  ].flat();
}

function started(command: Command): ChildProcess {
  const [program = '', ...args] = sandboxed(command);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', process.env['VERBOSE'] ? 'inherit' : 'ignore'] });
  running.push(child);
  return child;
}

async function finished(command: Command): Promise<void> {
  const child = started(command);
  running.pop();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command.command.join(' ')} ended with ${code}`);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; !(await holds().catch(() => false)); await setTimeout(20)) {
    if (Date.now() > end) throw new Error('no response after two minutes');
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
