// SPDX-License-Identifier: Apache-2.0
import type { Figure } from '../harness/figure.ts';
import { load, requestBytes } from '../harness/load.ts';
import { timesByName, median, rates, ratios, wallTime } from '../harness/measure.ts';
import { configMap, smallDeployment } from '../harness/objects.ts';
import { benchCertificates, startServerProcess } from '../harness/server-process.ts';

// Many short rounds, so that a busy machine slows all figures alike. The warm-up is long enough for the compiler.
const count = 250;
const rounds = 60;
const warmUps = 20;
const connections = 16;
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** Requests per second of kube-apiserver 1.36 with etcd on a similar machine. */
const realPair = { creates: 866, reads: 1363 };

/** Creates and reads over HTTPS from another process, compared with a bare server that only parses the same bodies. */
export async function https(): Promise<Figure[]> {
  const { server: tls, client } = benchCertificates();
  const forge = await startServerProcess(new URL('../programs/serve-forge.ts', import.meta.url), tls);
  const bare = await startServerProcess(new URL('../programs/serve-bare.mjs', import.meta.url), tls);
  try {
    const toForge = await load(forge.port, client, connections);
    const toBare = await load(bare.port, client, connections);
    let serial = 0;
    const create = (): Buffer => requestBytes('POST', configMaps, configMap(`c-${(serial += 1)}`));
    const createLarger = (): Buffer => requestBytes('POST', deployments, smallDeployment(`d-${(serial += 1)}`));
    const stored = await toForge.ask(requestBytes('POST', deployments, smallDeployment('read')));
    await toBare.ask(requestBytes('PUT', deployments, stored));
    const read = requestBytes('GET', `${deployments}/read`);
    const times = await timesByName(
      wallTime,
      {
        bareCreates: () => toBare.send(count, create),
        creates: () => toForge.send(count, create),
        bareLarger: () => toBare.send(count, createLarger),
        larger: () => toForge.send(count, createLarger),
        bareReads: () => toBare.send(count, () => read),
        reads: () => toForge.send(count, () => read),
      },
      rounds,
      warmUps,
    );
    toForge.close();
    toBare.close();
    return [
      rate('create a config map of 1 KB', times.creates, realPair.creates),
      against('create a config map, against a bare server', times.creates, times.bareCreates, { atLeast: 0.35 }),
      rate('create a deployment of 1 KB, 3 KB with its defaults', times.larger, realPair.creates),
      against('create a deployment, against a bare server', times.larger, times.bareLarger, { atLeast: 0.35 }),
      rate('read a deployment', times.reads, realPair.reads),
      against('read a deployment, against a bare server', times.reads, times.bareReads, { atLeast: 0.7 }),
    ];
  } finally {
    await Promise.all([forge.stop(), bare.stop()]);
  }
}

function rate(what: string, times: readonly number[], real: number): Figure {
  const samples = rates(count, times);
  const ratio = `${(median(samples) / real).toFixed(1)} × kube-apiserver with etcd (${real}/s; aim: 4 ×)`;
  return { what, samples, unit: '/s', ratio };
}

function against(what: string, times: readonly number[], bare: readonly number[], goal: Figure['goal']): Figure {
  const ratio = `bare: ${median(rates(count, bare)).toFixed(0)}/s`;
  return { what, samples: ratios(bare, times), unit: '×', ...(goal !== undefined && { goal }), ratio };
}
