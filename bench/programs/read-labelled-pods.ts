// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { readsLabelled } from '@forge/runtime/steps/reads.ts';
import { stepFor } from '@forge/runtime/steps/step.ts';
import { noServices, Site, type Services } from '@forge/runtime/test/site.ts';
import type { ClientTls } from '../harness/server-process.ts';

/** Which operator is measured, and until when. */
export interface ReadPodsWanted {
  port: number;
  tls: ClientTls;
  /** The selector of its watch; null for none. */
  selector: string | null;
  /** How many changes of its own pods it reads. */
  changes: number;
}

/** The cost of an operator in its own process. */
export interface ReadPodsCost {
  /** Bytes of heap once its caches are synced. */
  heap: number;
  /** Microseconds of CPU time, from its start until it has read the last change. */
  time: number;
}

// An operator that reads the pods of its resources by label, until killed.
const [{ port, tls, selector, changes }] = (await once(process, 'message')) as [ReadPodsWanted];
const pods = readsLabelled<Site, Services, Pod>(Pod, ({ metadata }) => ({ site: metadata.name }), {
  ...(selector !== null && { selector }),
});
const reading = stepFor<Site, Services>()({
  name: 'Pods',
  condition: 'PodsReady',
  reads: [pods],
  run: async ({ select }) => ready('Seen', `${select(pods).length} pods`),
});
const log = logger({ clock: systemClock, level: 'error', write: (entry) => console.error(entry) });
const api = client(httpsTransport({ server: `https://127.0.0.1:${port}`, ...tls }));
const running = manager({ client: api, clock: systemClock, random: systemRandom, log });
const names = { name: 'site-controller', fieldManager: 'bench', metricPrefix: 'bench' };
running.add(stepController({ ...names, for: Site, steps: [reading], services: noServices }));
const allSeen = Promise.withResolvers<void>();
let seen = 0;
const started = process.cpuUsage();
await running.start();
for (const store of running.cache.stores(Pod)) {
  store.onChange(({ after }) => {
    if (after?.metadata.name.startsWith('own-') === true) seen += 1;
    if (seen === changes) allSeen.resolve();
  });
}
for (let turn = 0; turn < 4; turn += 1) globalThis.gc?.();
const heap = process.memoryUsage().heapUsed;
process.send?.('synced');
await allSeen.promise;
const { user, system } = process.cpuUsage(started);
process.send?.({ heap, time: user + system } satisfies ReadPodsCost);
