// SPDX-License-Identifier: Apache-2.0
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EphemeralContainer } from '@forge/kube/generated/types.ts';
import { ClusterRole, ClusterRoleBinding, Namespace, PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { processCluster } from '@forge/testing/programs/process-cluster.ts';
import { report } from '@forge/testing/programs/test-program.ts';
import type { ImageStore } from '../../../images/image-store.ts';
import { kubectlFor } from '../kubectl.ts';
import { alone, canary, escaped, podOf, completed, scripted, type Attempt, type HostTargets } from './attempt.ts';
import { callAttempts, writePrograms } from './call-attempts.ts';
import { claim, claimAttempts } from './claim-attempts.ts';
import { execAttempts } from './exec-attempts.ts';
import { limitAttempts } from './limit-attempts.ts';
import { pathAttempts } from './path-attempts.ts';
import { isSettled, outputOf } from './pod-output.ts';
import { processAttempts } from './process-attempts.ts';
import { traceAttempts } from './trace-attempts.ts';

/** A pod that ends when its probe has run. */
const probed: Attempt = {
  name: 'probed',
  spec: () =>
    alone('until [ -s /tmp/probed ]; do sleep 0.1; done', {
      startupProbe: { exec: { command: ['sh', '-c', 'echo x > /tmp/probed'] }, failureThreshold: 100 },
    }),
};

// Starts one node, runs all attempts concurrently, and prints a line per attempt: its name, and the problem if it
// reached something or ended otherwise than required. A second argument selects attempts by name.
const [parent, pattern = ''] = process.argv.slice(2);
const longest = 180_000;

const programs = await writePrograms(parent ?? tmpdir());
await using cluster = await processCluster(parent, withTools);
const { client, folder, node } = cluster;
const crashed = node.exited.then(({ code, stderrTail }) => `the node exited with ${code}: ${stderrTail}`);
await writeFile(join(folder, 'secret'), canary);
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.end(canary);
}).listen(0);
const addresses = Object.values(networkInterfaces()).flat();
const common = {
  folder,
  port: (listener.address() as AddressInfo).port,
  address: addresses.find((each) => each?.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.2',
  otherVolume: await volumeOfAnotherNamespace(),
};

await namespaceOfLevelPrivileged();
const victim = scripted('main', 'sleep 300', { env: [{ name: 'VICTIM', value: canary }] });
await client.create(Pod, podOf('victim', { containers: [victim] }, await hostFor('victim')));
const attempts = [
  ...pathAttempts,
  ...claimAttempts,
  ...processAttempts,
  ...traceAttempts,
  ...callAttempts,
  ...execAttempts,
  ...limitAttempts,
];
const chosen = attempts.filter(({ name }) => name.includes(pattern));
await Promise.all(chosen.map(async (attempt, index) => report(attempt.name, await outcomeOf(attempt, index))));
report('a connection to the host', connections > 0 ? `${connections} were made` : undefined);
const beside = problemOf(probed, 'probed', await hostFor('probed'));
report('another pod and its probe run at the same time', await Promise.race([beside, crashed]));
report('every pod and claim can be deleted', await Promise.race([remaining(), crashed]));
listener.close();

/** The targets of one pod. */
async function hostFor(pod: string): Promise<HostTargets> {
  const untouched = join(folder, `untouched-by-${pod}`);
  await mkdir(untouched);
  return { ...common, untouched };
}

async function outcomeOf(attempt: Attempt, index: number): Promise<string | undefined> {
  const pod = `attempt-${index}`;
  const host = await hostFor(pod);
  const problem = await Promise.race([problemOf(attempt, pod, host), crashed]);
  const written = await readdir(host.untouched);
  return written.length > 0 ? `it wrote to the host: ${written.join(', ')}` : problem;
}

async function problemOf(
  { spec, namespace, claims, ephemeral, exec, keepsRunning, ends = completed }: Attempt,
  name: string,
  host: HostTargets,
) {
  const pod = podOf(name, spec(host), host, namespace);
  let output = '';
  try {
    for (const each of claims?.(host) ?? []) await create(each);
    await client.create(Pod, pod);
    if (ephemeral) await addContainer(pod, { ...ephemeral, env: pod.spec?.containers[0]?.env ?? [] });
    for (const deadline = Date.now() + longest; Date.now() < deadline; await setTimeout(100)) {
      const current = await client.get(Pod, refOf(pod));
      output = await outputOf(current, join(folder, 'logs'));
      const { phase } = current.status ?? {};
      if (exec && phase === 'Running') {
        output = await outputOfExec(pod, exec);
        break;
      }
      if (
        phase === 'Succeeded' ||
        phase === 'Failed' ||
        ((ephemeral || keepsRunning === true || isSettled(current)) && ends.test(output))
      )
        break;
    }
  } catch (error) {
    output = (error as Error).message;
  }
  if (output.includes(canary) || output.includes(escaped)) return `it reached what it must not: ${output}`;
  return ends.test(output) ? undefined : `it did not end as ${ends}: ${output}`;
}

/** Deletes everything; returns what still exists after a while. */
async function remaining(): Promise<string | undefined> {
  const pods = await client.list(Pod);
  await Promise.all(pods.items.map((pod) => client.delete(Pod, refOf(pod))));
  const claims = await client.list(PersistentVolumeClaim);
  await Promise.all(claims.items.map((each) => client.delete(PersistentVolumeClaim, refOf(each))));
  let left: string[] = [];
  for (const deadline = Date.now() + longest; Date.now() < deadline; await setTimeout(100)) {
    const { items } = await client.list(Pod);
    const volumes = (await readdir(join(folder, 'volumes'))).map((name) => `volume ${name}`);
    left = [...items.map(({ metadata }) => `pod ${metadata.name}`), ...volumes];
    if (left.length === 0) return undefined;
  }
  return `still exists: ${left.join(', ')}`;
}

async function addContainer(pod: Pod, container: EphemeralContainer): Promise<void> {
  const patch = { spec: { ephemeralContainers: [container] } };
  await client.patch(Pod, refOf(pod), 'strategic', patch, { subresource: 'ephemeralcontainers' });
}

/** What a command in a running pod prints. */
async function outputOfExec(
  { metadata: { namespace = '', name } }: Pod,
  { command, atTerminal = false }: NonNullable<Attempt['exec']>,
): Promise<string> {
  const { start, ended } = kubectlFor(cluster.kubeconfig);
  const options = [`--namespace=${namespace}`, ...(atTerminal ? ['--tty'] : [])];
  const { out, err } = await ended(start(['exec', ...options, name, '--', ...command]));
  return `${out}\n${err}`.replaceAll('\r', '');
}

/** Creates a claim with a forged status. */
async function create({ status, ...object }: PersistentVolumeClaim): Promise<void> {
  await client.create(PersistentVolumeClaim, object);
  if (status) await client.patch(PersistentVolumeClaim, refOf(object), 'merge', { status }, { subresource: 'status' });
}

/** Creates a namespace of the level privileged. */
async function namespaceOfLevelPrivileged(): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'privileged', labels } });
  const [apiGroup, name] = ['rbac.authorization.k8s.io', 'namespace-readers'] as const;
  await client.create(ClusterRole, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }],
  });
  await client.create(ClusterRoleBinding, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup, kind: 'Group', name: 'system:nodes' }],
  });
}

async function volumeOfAnotherNamespace(): Promise<string> {
  const metadata = { namespace: 'other', name: 'theirs' };
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.namespace } });
  await client.create(PersistentVolumeClaim, { ...claim('theirs'), metadata });
  for (;;) {
    const { spec, status } = await client.get(PersistentVolumeClaim, metadata);
    const volume = join(folder, 'volumes', spec?.volumeName ?? '');
    if (status?.phase === 'Bound' && spec?.volumeName !== undefined) {
      await mkdir(volume);
      await writeFile(join(volume, 'private'), canary);
      return spec.volumeName;
    }
    await setTimeout(50);
  }
}

/** Adds the tools image, which has the programs for attempts, to every other image. */
function withTools(store: ImageStore): ImageStore {
  return {
    async ensure(reference, options) {
      const [image, tools] = await Promise.all([
        store.ensure(reference, options),
        store.ensure('forge/tools', options),
      ]);
      const added = [{ source: tools.root, target: '/tools' }, ...programs];
      return { ...image, mounts: [...image.mounts, ...added] };
    },
  };
}
