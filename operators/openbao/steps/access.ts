// SPDX-License-Identifier: Apache-2.0
import { Role, RoleBinding, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { clusterLabel } from '../api/names.ts';
import { degradedCondition } from '../conditions/degraded.ts';
import {
  jobServiceAccounts,
  serverPermissions,
  serverRole,
  serverRoleBinding,
  serverServiceAccount,
} from '../objects/access.ts';
import { applied, ofCluster, wanted } from './adopted.ts';
import { step } from './step.ts';

/** Lets the servers find each other and write labels on their pods, and others log in to them. */
export const access = step({
  name: 'Access',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  owns: [
    ofCluster(ServiceAccount, 'remove'),
    owned(Role, ['apply', 'adopt'], { selector: clusterLabel, grants: [serverPermissions] }),
    ofCluster(RoleBinding),
  ],
  async run(context) {
    const { object: cluster } = context;
    await applied(ServiceAccount, serverServiceAccount(cluster), context);
    for (const [name, account] of Object.entries(jobServiceAccounts(cluster)))
      await wanted(ServiceAccount, name, account, context);
    await applied(Role, serverRole(cluster), context);
    await applied(RoleBinding, serverRoleBinding(cluster), context);
    return ready();
  },
});
