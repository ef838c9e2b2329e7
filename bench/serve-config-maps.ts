// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/in-process-transport.ts';
import { serve } from '@forge/apiserver/serve.ts';
import { ConfigMap } from '@forge/kube/builtin.ts';
import { client } from '@forge/kube/client.ts';
import { systemClock } from '@forge/runtime/clock.ts';
import { systemRandom } from '@forge/runtime/random.ts';
import type { ServerTls } from './served.ts';

/** Changes to make, each of another object. */
export interface ChangesWanted {
  count: number;
}

const objects = 50_000;

// An API server full of config maps in a process of its own, which changes some when it is told to.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const server = await apiServer({ clock: systemClock, random: systemRandom });
const api = client(inProcessTransport(server));
const asOperator = { fieldManager: 'keystone-operator' };
for (let index = 0; index < objects; index += 1) await api.create(ConfigMap, operatorsConfigMap(index), asOperator);
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);

let turn = 0;
process.on('message', ({ count }: ChangesWanted) => void change(count));

async function change(count: number): Promise<void> {
  turn += 1;
  for (let index = 0; index < count; index += 1) {
    const ref = { namespace: 'default', name: nameOf(index) };
    await api.patch(ConfigMap, ref, 'merge', { data: { turn: String(turn) } }, asOperator);
    // A watcher gets its events one by one, as in a living cluster.
    if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function nameOf(index: number): string {
  return `keystone-${index}-config`;
}

/** A config map of 1 KB as operators write them: labelled, owned, with a few files that no other has. */
function operatorsConfigMap(index: number): ConfigMap {
  const name = nameOf(index);
  const owner = `keystone-${index}`;
  const uid = `7d0c2a52-9a6e-4c7d-8f5b-${String(index).padStart(12, '0')}`;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'default',
      labels: {
        'app.kubernetes.io/name': 'keystone',
        'app.kubernetes.io/instance': owner,
        'app.kubernetes.io/managed-by': 'keystone-operator',
      },
      ownerReferences: [
        { apiVersion: 'example.com/v1', kind: 'Keystone', name: owner, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    data: {
      'keystone.conf': `[DEFAULT]\nuse_stderr = true\n[database]\nconnection = mysql+pymysql://${owner}:secret@db/${owner}\n`.repeat(3),
      'logging.conf': `[loggers]\nkeys = root\n[logger_root]\nlevel = INFO\nhandlers = ${owner}\n`,
      'uwsgi.ini': `[uwsgi]\nprocesses = 2\nthreads = 4\nname = ${owner}\n`,
      'policy.yaml': `"identity:get_user": "rule:${owner}"\n`,
    },
  };
}
