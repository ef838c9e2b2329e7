// SPDX-License-Identifier: Apache-2.0
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import { gateway } from '../http-route.ts';
import {
  abortAfterContract,
  isHalfRolledOut,
  isMigrating,
  isRollingOut,
  slowContract,
  slowMigration,
  halfRollout,
  stuckRollout,
  upgrade,
  upgradeAndAbort,
} from './abort-steps.ts';
import { keystoneScenario } from './keystone-scenario.ts';
import { electedOperators, processName } from './operator.ts';
import {
  create,
  createAndTakeKeys,
  deleteDatabase,
  failPolicy,
  recreate,
  remove,
  removeInForeground,
  removeWithoutDependents,
  removeWithSecrets,
  replaceServer,
  rotateKeys,
  setPassword,
  setSpec,
} from './user-steps.ts';

/** Another database may not be expanded when the abort comes, and is not ahead then. */
const otherDatabase = { 'databases.k8s.mariadb.com': /^keystones\./ };

/** The simulated lifecycles of a Keystone, by name. */
const scenarios: ScenarioSet['scenarios'] = {
  'create managed': keystoneScenario({ installed: false, steps: [create('managed')] }),
  'create brownfield': keystoneScenario({
    mode: 'brownfield',
    installed: false,
    steps: [create('brownfield')],
  }),
  'create elected': keystoneScenario({
    installed: false,
    steps: [create('managed')],
    operator: electedOperators,
  }),
  configure: keystoneScenario({ steps: [setSpec({ extraConfig: { DEFAULT: { max_token_size: '300' } } })] }),
  scale: keystoneScenario({ steps: [setSpec({ replicas: 3 }), setSpec({ replicas: 1 })] }),
  passwords: keystoneScenario({
    mode: 'brownfield',
    steps: [setPassword('keystone-admin'), setPassword('keystone-db', { username: 'keystone' })],
  }),
  options: keystoneScenario({
    steps: [
      setSpec({
        policyOverrides: { rules: { 'identity:list_users': 'role:admin' } },
        autoscaling: { maxReplicas: 4, targetCPUUtilization: 80 },
      }),
      setSpec({ policyOverrides: null, autoscaling: null, trustFlush: { suspend: true } }),
    ],
    // The replicas that autoscaling leaves are kept, whoever changed them.
    aftermath: {
      'deployments.apps': /^(keystones|deployments|replicasets|pods|endpoints|endpointslices|poddisruptionbudgets)[./]/,
    },
  }),
  exposure: keystoneScenario({
    steps: [
      setSpec({
        gateway,
        networkPolicy: { ingress: [{ namespaceSelector: { team: 'portal' } }] },
        logging: { format: 'json' },
      }),
      setSpec({ gateway: { hostname: 'identity.example.com' }, networkPolicy: null, logging: { level: 'DEBUG' } }),
      setSpec({ gateway: null }),
    ],
    standIns: ['gateway'],
  }),
  rotate: keystoneScenario({ steps: [rotateKeys('fernet'), rotateKeys('credential')] }),
  upgrade: keystoneScenario({ steps: [upgrade] }),
  'abort after expand': keystoneScenario({
    steps: [upgradeAndAbort(isMigrating)],
    script: slowMigration,
    aftermath: otherDatabase,
  }),
  'abort after migrate': keystoneScenario({
    steps: [upgradeAndAbort(isRollingOut)],
    script: stuckRollout,
    aftermath: otherDatabase,
  }),
  'abort during rollout': keystoneScenario({
    steps: [upgradeAndAbort(isHalfRolledOut)],
    script: halfRollout,
    aftermath: otherDatabase,
  }),
  'abort after contract': keystoneScenario({ steps: [abortAfterContract], script: slowContract }),
  'database deleted': keystoneScenario({ steps: [deleteDatabase] }),
  'MariaDB replaced': keystoneScenario({ steps: [replaceServer] }),
  'no release, keys taken': keystoneScenario({ installed: false, steps: [createAndTakeKeys] }),
  'database moves': keystoneScenario({
    mode: 'brownfield',
    steps: [setSpec({ database: { host: 'moved.example.com' } })],
  }),
  'policy fails': keystoneScenario({ steps: [failPolicy] }),
  delete: keystoneScenario({ steps: [remove] }),
  'delete brownfield': keystoneScenario({ mode: 'brownfield', steps: [remove] }),
  'delete in the foreground': keystoneScenario({
    steps: [removeInForeground],
    // A Deployment replaces pods that the garbage collector deletes before it.
    createdByOthers: /^pods\/openstack\/identity-/,
  }),
  'delete without what depends on it': keystoneScenario({ steps: [removeWithoutDependents] }),
  'delete brownfield with its Secrets': keystoneScenario({ mode: 'brownfield', steps: [removeWithSecrets] }),
  'delete and re-create': keystoneScenario({ steps: [remove, recreate('managed')] }),
  'delete and re-create brownfield': keystoneScenario({
    mode: 'brownfield',
    steps: [remove, recreate('brownfield')],
  }),
};

/** All of them. */
export const keystoneScenarios: ScenarioSet = {
  operator: processName,
  scenarios,
  starts: ['create managed', 'create elected', 'configure', 'passwords', 'exposure'],
};
