// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { client } from '@forge/kube/client/client.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import type { ServerTls } from '../harness/server-process.ts';

/** How many objects to change. */
export interface ChangesWanted {
  count: number;
}

const objects = 50_000;

// An API server with many ConfigMaps in its own process, which changes some on request.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const server = await apiServer({ clock: systemClock, random: systemRandom });
const api = client(inProcessTransport(server));
const writer = { fieldManager: 'helm' };
for (let index = 0; index < objects; index += 1) await api.create(ConfigMap, configMapOf(index), writer);
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);

let turn = 0;
process.on('message', ({ count }: ChangesWanted) => void change(count));

async function change(count: number): Promise<void> {
  turn += 1;
  for (let index = 0; index < count; index += 1) {
    const ref = { namespace: 'default', name: nameOf(index) };
    await api.patch(ConfigMap, ref, 'merge', { data: { turn: String(turn) } }, writer);
    // Watchers get events one by one, as in a real cluster.
    if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function nameOf(index: number): string {
  return `keystone-${index}-config`;
}

/** A typical ConfigMap of 1 KB: labels, and a few unique files. */
function configMapOf(index: number): ConfigMap {
  const instance = `keystone-${index}`;
  const labels = {
    'app.kubernetes.io/name': 'keystone',
    'app.kubernetes.io/instance': instance,
    'app.kubernetes.io/managed-by': 'Helm',
  };
  const connection = `[database]\nconnection = mysql+pymysql://${instance}:secret@database/${instance}\n`;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: nameOf(index), namespace: 'default', labels },
    data: {
      'keystone.conf': `[DEFAULT]\nuse_stderr = true\n${connection.repeat(4)}`,
      'logging.conf': `[loggers]\nkeys = root\n[logger_root]\nlevel = INFO\nhandlers = ${instance}\n`,
      'uwsgi.ini': `[uwsgi]\nprocesses = 2\nthreads = 4\nname = ${instance}\n`,
      'policy.yaml': `"identity:get_user": "rule:${instance}"\n`,
    },
  };
}
