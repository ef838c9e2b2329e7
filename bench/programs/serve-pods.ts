// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { client } from '@forge/kube/client/client.ts';
import { ConfigMap, CustomResourceDefinition, Pod } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { Site } from '@forge/runtime/test/site.ts';
import { configMap } from '../harness/objects.ts';
import type { ServerTls } from '../harness/server-process.ts';

/** How often each pod of the operator is changed; as many pods of others change meanwhile. */
export interface PodChanges {
  times: number;
}

/** The pods that the operator reads, one for each of its resources. */
const own = 100;

// An API server with resources, a labelled pod for each, and this many pods of others, which changes pods on request.
process.on('disconnect', () => process.exit());
const [tls] = (await once(process, 'message')) as [ServerTls];
const others = Number(process.argv[2]);
const server = await apiServer({ clock: systemClock, random: systemRandom });
const api = client(inProcessTransport(server));
await api.create(CustomResourceDefinition, crdOf(Site));
await api.create(ConfigMap, configMap('unwatched'));
const { apiVersion, kind: site } = Site;
for (let index = 0; index < own; index += 1) {
  const metadata = { namespace: 'default', name: `site-${index}` };
  await api.create(Site, { apiVersion, kind: site, metadata, spec: {} });
  await api.create(Pod, podOf(`own-${index}`, { 'app.kubernetes.io/managed-by': 'sites', site: metadata.name }));
}
for (let index = 0; index < others; index += 1) {
  await api.create(Pod, podOf(`other-${index}`, { 'app.kubernetes.io/managed-by': 'Helm', app: `app-${index % 500}` }));
}
const { port } = await serve(server, { port: 0, tls });
process.send?.(port);

let turn = 0;
process.on('message', ({ times }: PodChanges) => void change(times));

async function change(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    for (let index = 0; index < own; index += 1) {
      // Without pods of others something that is not watched changes instead: the operator's events come at the same pace.
      if (others > 0) await touch(Pod, `other-${(time * own + index) % others}`);
      else await touch(ConfigMap, 'unwatched');
      await touch(Pod, `own-${index}`);
      // Watchers get events one by one, as in a real cluster.
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function touch(kind: Kind, name: string): Promise<void> {
  turn += 1;
  const annotations = { turn: String(turn) };
  await api.patch(kind, { namespace: 'default', name }, 'merge', { metadata: { annotations } });
}

/** A pod with a few containers and variables. */
function podOf(name: string, labels: Record<string, string>): Pod {
  const env = Array.from({ length: 10 }, (_, index) => ({ name: `SETTING_${index}`, value: `${name}-${index}` }));
  const containers = ['main', 'sidecar'].map((each) => ({ name: each, image: `${each}:1`, env }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name, labels }, spec: { containers } };
}
