// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { backupNamesOf } from '@forge/keystone/api/names.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { sleep, systemClock } from '@forge/runtime/environment/clock.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { mount } from '../openbao/policies.ts';
import { credentialPaths } from '../openbao/seed.ts';
import type { Up } from '../up/up.ts';
import type { Timed } from './check-keystone.ts';

type Checked = Pick<Up, 'client' | 'openbao' | 'demo'>;

/** External Secrets pushes a second after the operator requests it, later on a busy machine. */
const backupTimeout = 60_000;

/** Checks that credentials come from OpenBao and that keys are backed up there; throws otherwise. */
export async function checkSecrets(up: Checked, timed: Timed): Promise<void> {
  const { client, demo } = up;
  await timed('secretsFromOpenBao', async () => {
    const paths = credentialPaths(demo);
    await checkSecret(up, demo.databaseSecret, paths.database);
    await checkSecret(up, demo.adminSecret, paths.admin);
  });
  await timed('backupInOpenBao', async () => {
    const { namespace, keystone: name, cloudsYaml } = demo;
    const keys = backupNamesOf(await client.get(Keystone, { namespace, name }));
    for (const backup of [...keys, ...(cloudsYaml ? [cloudsYaml.backup] : [])]) {
      const { spec } = await client.get(PushSecret, { namespace, name: backup });
      const path = spec.data?.[0]?.match.remoteRef.remoteKey ?? '';
      await checkBackup(up, spec.selector.secret?.name ?? '', path);
    }
  });
}

async function checkSecret(up: Checked, name: string, path: string): Promise<void> {
  const secret = await up.client.get(Secret, { namespace: up.demo.namespace, name });
  const owner = controllerOf(secret)?.kind;
  if (owner !== 'ExternalSecret')
    throw new Error(`Secret ${name} belongs to ${owner ?? 'nobody'}, not to an ExternalSecret`);
  if (isDeepStrictEqual(await contentAt(up, path), decoded(secret))) return;
  throw new Error(`Secret ${name} differs from ${mount}/${path} in OpenBao`);
}

async function checkBackup(up: Checked, name: string, path: string): Promise<void> {
  for (const end = systemClock.now() + backupTimeout; systemClock.now() < end;) {
    const secret = await up.client.get(Secret, { namespace: up.demo.namespace, name });
    if (isDeepStrictEqual(await contentAt(up, path), decoded(secret))) return;
    await sleep(systemClock, milliseconds(200));
  }
  throw new Error(`${mount}/${path} in OpenBao is not a copy of Secret ${name} after ${backupTimeout / 1000} s`);
}

async function contentAt({ openbao }: Pick<Up, 'openbao'>, path: string): Promise<unknown> {
  const found = (await openbao.call('GET', `${mount}/data/${path}`))?.['data'];
  return isObject(found) ? found['data'] : undefined;
}

function decoded({ data = {} }: Secret): Record<string, string> {
  const entries = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
  return Object.fromEntries(entries) as Record<string, string>;
}
