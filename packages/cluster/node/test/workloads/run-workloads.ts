// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster } from '@forge/testing/programs/process-cluster.ts';
import { report } from '@forge/testing/programs/test-program.ts';
import { isTrue } from '../../../objects/with-condition.ts';
import { kubectlFor } from '../kubectl.ts';
import { cache, everyMinute } from './manifests.ts';
import { pidIn } from './pod-process.ts';
import { sendRequests } from './requests.ts';

// Starts one node, runs a Deployment, a Service and a CronJob on it by kubectl, and prints a line per check.
const namespace = 'default';
await using cluster = await processCluster(process.argv[2]);
const { client, node } = cluster;
const { start, ended } = kubectlFor(cluster.kubeconfig);
const port = await freePort();

async function kubectl(args: readonly string[], objects: readonly object[] = []): Promise<string> {
  const { code, out, err } = await ended(start(args), objects.map((object) => JSON.stringify(object)).join('\n'));
  assert.equal(code, 0, err);
  return out;
}

async function check(name: string, work: () => Promise<void>): Promise<void> {
  await work().then(
    () => report(name, undefined),
    (error: Error) => report(name, error.message),
  );
}

/** A port that nothing on the machine uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  return free;
}

async function rolledOut(): Promise<void> {
  const out = await kubectl(['rollout', 'status', 'deployment/cache', '--timeout=60s']);
  assert.match(out, /successfully rolled out/);
}

async function statusOf(pod: string): Promise<ContainerStatus | undefined> {
  return (await client.get(Pod, { namespace, name: pod })).status?.containerStatuses?.[0];
}

/** Kills the memcached of a pod and returns the status in which `condition` holds. */
async function kill(pod: string, condition: (status: ContainerStatus) => boolean): Promise<ContainerStatus> {
  process.kill(await pidIn(pod, 'memcached'), 'SIGKILL');
  let status: ContainerStatus | undefined;
  await eventually('the status follows', async () => (status = await statusOf(pod)) && condition(status));
  return status ?? assert.fail('no status');
}

async function restartWithBackOff(): Promise<void> {
  const { items } = await client.list(Pod, { namespace, labelSelector: 'app=cache' });
  const pod = items.find(({ metadata }) => metadata.deletionTimestamp === undefined)?.metadata.name ?? '';
  const first = await kill(pod, ({ restartCount, ready }) => restartCount === 1 && ready);
  assert.deepEqual([first.lastState?.terminated?.exitCode, first.lastState?.terminated?.reason], [137, 'Error']);

  const second = await kill(pod, ({ state }) => state?.waiting !== undefined);
  assert.equal(second.state?.waiting?.reason, 'CrashLoopBackOff');
  assert.match(second.state.waiting.message ?? '', /^back-off 10s restarting failed container=memcached/);
  let third: ContainerStatus | undefined;
  await eventually('it is restarted', async () => (third = await statusOf(pod))?.ready);
  const [exit, run] = [third?.lastState?.terminated?.finishedAt, third?.state?.running?.startedAt];
  const waited = (Date.parse(run ?? '') - Date.parse(exit ?? '')) / 1000;
  assert.ok(waited >= 10 && waited < 20, `restarted ${waited} s after its exit`);
  assert.equal(third?.restartCount, 2);

  const last = await kill(pod, ({ state }) => state?.waiting !== undefined);
  assert.match(last.state?.waiting?.message ?? '', /^back-off 20s /);
}

async function cronJobRan(): Promise<void> {
  let job: Job | undefined;
  await eventually('a Job is complete', async () => {
    const { items } = await client.list(Job, { namespace });
    job = items.find(({ status }) => isTrue(status?.conditions, 'Complete'));
    return job;
  });
  assert.equal(job?.metadata.ownerReferences?.[0]?.name, everyMinute.metadata.name);
  const created = Date.parse(job.metadata.creationTimestamp ?? '');
  assert.ok(created % 60_000 < 10_000, `created at ${job.metadata.creationTimestamp}`);
  const time = new Date(created).toISOString().slice(11, 16);
  assert.equal(await kubectl(['logs', `job/${job.metadata.name}`]), `ran at ${time}\n`);
}

const cronJob = check('a CronJob runs each minute', async () => {
  await kubectl(['apply', '-f', '-'], [everyMinute]);
  await cronJobRan();
});
await check('a Deployment of three memcached pods becomes available', async () => {
  await kubectl(['apply', '-f', '-'], cache(port, 'one'));
  await rolledOut();
});
await check('a rolling update fails no request through the Service', async () => {
  const requests = sendRequests(() => node.dial(`cache.${namespace}.svc.cluster.local`, 11_211));
  await kubectl(['apply', '-f', '-'], cache(port, 'two'));
  await rolledOut();
  await eventually('the old pods are gone', async () => {
    const { items } = await client.list(Pod, { namespace, labelSelector: 'app=cache' });
    return items.length === 3;
  });
  const { fresh, kept, opened, errors } = await requests.stop();
  assert.deepEqual(errors, []);
  assert.ok(fresh >= 60 && kept >= 60, `only ${fresh} requests on new and ${kept} on keep-alive connections were sent`);
  assert.ok(opened > 4 && opened < kept / 3, `${opened} connections for ${kept} requests were opened`);
});
await check('a killed memcached is restarted with backoff', restartWithBackOff);
await cronJob;
