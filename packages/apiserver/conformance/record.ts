// SPDX-License-Identifier: Apache-2.0
import { homedir } from 'node:os';
import { checkControllers } from './check-controllers.ts';
import { recordCases } from './record-cases.ts';
import { recordDefaultRoles } from './record-default-roles.ts';
import { inPrivateNetwork, isInPrivateNetwork } from './reference/private-network.ts';
import { findBinaries, withReferenceCluster } from './reference/with-reference-cluster.ts';

if (isInPrivateNetwork()) {
  await withReferenceCluster(process.env, homedir(), async ({ wire, binaries }) => {
    const filter = process.argv[2] ?? '';
    if ('kube-controller-manager'.includes(filter)) await checkControllers(binaries, console.log);
    if (filter === 'kube-controller-manager') return;
    if (filter === '') await recordDefaultRoles(wire);
    await recordCases(wire, filter, console.log);
  });
} else {
  // A build needs the host's network.
  await findBinaries(process.env, homedir());
  process.exitCode = await inPrivateNetwork(process.argv);
}
