// SPDX-License-Identifier: Apache-2.0
import { homedir } from 'node:os';
import { recordDefaultRoles } from './record-default-roles.ts';
import { recordRows } from './record-rows.ts';
import { withReferenceCluster } from './reference/with-reference-cluster.ts';

await withReferenceCluster(process.env, homedir(), async ({ wire }) => {
  const filter = process.argv[2] ?? '';
  if (filter === '') await recordDefaultRoles(wire);
  await recordRows(wire, filter, console.log);
});
