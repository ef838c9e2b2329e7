// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';
import { dataLossBugs } from './data-loss.ts';
import { executorBugs } from './executor.ts';
import { membershipBugs } from './membership.ts';
import { permissionBugs } from './permissions.ts';
import { upgradeBugs } from './upgrades.ts';

/** Seeded bugs of the operator, each with the test that must detect it. */
export const seededBugs: readonly OperatorBug[] = [
  ...dataLossBugs,
  ...executorBugs,
  ...membershipBugs,
  ...permissionBugs,
  ...upgradeBugs,
  {
    name: 'a paused cluster is written to',
    file: 'reconcile.ts',
    find: 'guards: { afterFinalizers: paused },',
    replace: '',
    caughtBy: [
      'conditions/condition-catalog.test.ts',
      'a paused cluster is left alone until it is not paused any more',
    ],
  },
  {
    name: 'a quoted boolean makes the server exit',
    file: 'objects/config/config-hcl.ts',
    find: "return text === 'true';",
    replace: 'return text;',
    caughtBy: [
      'objects/config/config-hcl.test.ts',
      'types the settings, sorts them, trims them, and replaces those of its own in place',
    ],
  },
  {
    name: 'an audit device that cannot be opened uses up the root token',
    file: 'objects/config/config-hcl.ts',
    find: '...(hasAudit ? auditBlocks(audit) : []),',
    replace: '...auditBlocks(audit),',
    caughtBy: [
      'objects/config/config-hcl.test.ts',
      'writes audit devices once the cluster is initialised, each with the options of its type',
    ],
  },
  {
    name: 'the initialisation of a cluster restarts its pods',
    file: 'objects/config/config-hcl.ts',
    find: "joins: { with: 'nobody' }",
    replace: "joins: { with: inputs.audit ? 'nobody' : 'first-pod', pod: 'demo-0' }",
    caughtBy: [
      'objects/config/config-hcl.test.ts',
      'does not depend on whom a pod joins, so that initialisation and scaling restart nothing',
    ],
  },
  {
    name: 'a text is taken for an interpolation',
    file: 'objects/config/render-hcl.ts',
    find: '|\\$(?=\\{)|',
    replace: '|',
    caughtBy: ['objects/config/hostile-text.test.ts', 'means what was meant, in 2,000 specs'],
  },
  {
    name: 'a server that is initialised is reported as newly initialised',
    file: 'clients/openbao-api.ts',
    find: "error.mentions('already initialized')",
    replace: "error.mentions('Vault is already initialized')",
    caughtBy: ['clients/openbao-api.test.ts', 'never by taking a cluster that is initialised for a new one'],
  },
  {
    name: 'an error repeats the token that was sent',
    file: 'clients/openbao-error.ts',
    find: "text.replaceAll(secret.reveal(), '[redacted]')",
    replace: 'text',
    caughtBy: [
      'clients/openbao-api.test.ts',
      'says what the server said, without the secret that was sent and that it repeats',
    ],
  },
];
