// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { servedServer } from '@forge/apiserver/test/served-server.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace, Role, RoleBinding, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import type { KeyType } from '../../api/names.ts';
import { keySecret, maxActiveKeysOf, stagingSecret } from '../../objects/keys/key-secret.ts';
import { rotationAccess } from '../../objects/rotation/access.ts';
import { copyKeys } from '../../objects/rotation/cron-job.ts';
import { rotationScripts } from '../../objects/rotation/scripts.ts';
import { keystoneFixture } from '../keystone-fixture.ts';
import type { Keys } from '../played-rotation.ts';
import { home } from '../start-keystone-operator.ts';

const program = fileURLToPath(new URL('keystone-manage.py', import.meta.url));
const keystone = keystoneFixture();

/** How a script ended. */
interface Ended {
  /** 137 when it was killed. */
  code: number;
  stdout: string;
  stderr: string;
}

/** The scripts of a rotation Job as programs of this machine, with a real API server and a keystone-manage that is played. */
export interface RotationPod extends AsyncDisposable {
  client: Client;
  /** The Secrets as they are now. */
  production(): Promise<Keys>;
  staging(): Promise<Secret>;
  /** The keys that encrypt the rows of the credential table. */
  rows(): Promise<string[]>;
  /** What the init container does: each new pod begins with it, and the emptyDir of another. */
  startPod(): Promise<void>;
  /** One start of the main container. */
  runContainer(env?: Record<string, string>): Promise<Ended>;
}

/** Creates the Secrets and the access of one keyType, and the first pod. */
export async function rotationPod(keyType: KeyType): Promise<RotationPod> {
  await using stack = new AsyncDisposableStack();
  const served = stack.use(await servedServer());
  const { client, folder } = served;
  const production = keySecret(keystone, keyType, systemRandom);
  await prepareCluster(client, keyType, production);
  const paths = {
    keys: join(folder, 'keys'),
    config: join(folder, 'conf'),
    serviceAccount: join(folder, 'account'),
    api: '',
  };
  const [source, bin, scripts, table] = ['source', 'bin', 'scripts', 'table.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const each of [paths.keys, paths.serviceAccount, source, bin, scripts]) await mkdir(each);
  const login = JSON.parse(await readFile(served.kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  };
  const { server, 'certificate-authority-data': authority } = login.clusters[0].cluster;
  await writeFile(join(paths.serviceAccount, 'ca.crt'), Buffer.from(authority, 'base64'));
  await writeFile(join(paths.serviceAccount, 'token'), await tokenOf(client, `identity-${keyType}-rotate`));
  for (const [name, text] of Object.entries(rotationScripts(keyType, { ...paths, api: server }))) {
    await writeFile(join(scripts, name), text, { mode: 0o555 });
  }
  await writeFile(join(bin, 'keystone-manage'), await readFile(program), { mode: 0o755 });
  const primary = Object.values(production.data ?? {}).at(-1) ?? '';
  await writeFile(table, JSON.stringify([decoded(primary), decoded(primary)]));
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    KEYS: paths.keys,
    TABLE: table,
    SECRET_NAME: `identity-${keyType}-keys-rotation`,
    SECRET_NAMESPACE: home.namespace,
    OS_FERNET_TOKENS__MAX_ACTIVE_KEYS: String(maxActiveKeysOf(keystone, keyType)),
  };

  const owned = stack.move();
  const pod: RotationPod = {
    client,
    production: async () => (await client.get(Secret, { ...home, name: `identity-${keyType}-keys` })).data ?? {},
    staging: () => client.get(Secret, { ...home, name: `identity-${keyType}-keys-rotation` }),
    rows: async () => JSON.parse(await readFile(table, 'utf8')) as string[],
    async startPod() {
      await rm(source, { recursive: true });
      await mkdir(source);
      for (const [index, key] of Object.entries(await pod.production())) {
        await writeFile(join(source, index), decoded(key));
      }
      await promisify(execFile)('sh', ['-c', copyKeys(keyType, paths, source)]);
    },
    runContainer: (change = {}) => run(join(scripts, `${keyType}_rotate.sh`), { ...env, ...change }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  await pod.startPod();
  return pod;
}

async function prepareCluster(client: Client, keyType: KeyType, production: Secret): Promise<void> {
  const { namespace } = home;
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const inNamespace = <T extends KubeObject>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, namespace },
  });
  await client.create(Secret, inNamespace(production));
  await client.create(Secret, inNamespace(stagingSecret(keystone, keyType)));
  const [account, role, binding] = rotationAccess(keystone, keyType);
  await client.create(ServiceAccount, inNamespace(account));
  await client.create(Role, inNamespace(role));
  await client.create(RoleBinding, inNamespace(binding));
}

async function tokenOf(client: Client, name: string): Promise<string> {
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { ...home, name },
    spec: { audiences: [], expirationSeconds: 3600 },
  };
  const issued = await client.create<KubeObject>(ServiceAccount, request, { subresource: 'token' });
  return (issued as KubeObject & { status: { token: string } }).status.token;
}

/** The text of a key as a pod's file holds it. */
export function decoded(key: string): string {
  return Buffer.from(key, 'base64').toString();
}

function run(script: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(script, { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 137;
      resolve({ code, stdout, stderr });
    });
  });
}
