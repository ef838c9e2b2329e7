// SPDX-License-Identifier: Apache-2.0
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { processCluster } from '@forge/testing/programs/process-cluster.ts';
import { memcached } from './memcached.ts';

// Runs a pod and reports it; the test then kills this program with SIGKILL.
const { client } = await processCluster(process.argv[2]);
await client.create(Pod, memcached);
for await (const { object } of client.watch(Pod, { namespace: 'default', resourceVersion: '0' })) {
  if (object.status?.containerStatuses?.[0]?.ready === true) process.stdout.write('ready\n');
}
