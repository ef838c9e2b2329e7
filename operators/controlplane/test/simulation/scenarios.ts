// SPDX-License-Identifier: Apache-2.0
import { minutes, now } from '@forge/runtime/environment/duration.ts';
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import { controlPlaneScenario } from './control-plane-scenario.ts';
import { electedOperators, processName } from './operator.ts';
import {
  create,
  recreate,
  recreateWithKeystone,
  refuseOnce,
  remove,
  removeCloudsYaml,
  removeDuringOutage,
  removeNamespace,
  removeWith,
  removeWithoutKeystone,
  removeWithSecrets,
  removeWithoutKorc,
  replaceKeystone,
  revoke,
  rotate,
  setOwnPassword,
  setPassword,
  setSpec,
  slowKorc,
  whileKorcFails,
  withoutKorc,
  withoutStore,
} from './user-steps.ts';

const publicEndpoint = 'https://identity.example.com/v3';
const unrestricted = { korc: { adminCredential: { applicationCredential: { restricted: false } } } };

/** The simulated lifecycles of a ControlPlane, by name. */
const scenarios: ScenarioSet['scenarios'] = {
  'create managed': controlPlaneScenario({ installed: false, steps: [create('managed')] }),
  'create brownfield': controlPlaneScenario({ mode: 'brownfield', installed: false, steps: [create('brownfield')] }),
  'create elected': controlPlaneScenario({
    mode: 'brownfield',
    installed: false,
    steps: [create('brownfield')],
    operator: electedOperators,
  }),
  'create with a slow K-ORC': controlPlaneScenario({
    mode: 'brownfield',
    installed: false,
    steps: [create('brownfield')],
    script: slowKorc,
  }),
  'create while K-ORC fails': controlPlaneScenario({
    mode: 'brownfield',
    installed: false,
    steps: [whileKorcFails(create('brownfield'))],
  }),
  configure: controlPlaneScenario({
    mode: 'brownfield',
    steps: [setSpec({ services: { keystone: { publicEndpoint, replicas: 2 } } }), setSpec(unrestricted)],
  }),
  'change password': controlPlaneScenario({ steps: [setPassword] }),
  'change password brownfield': controlPlaneScenario({ mode: 'brownfield', steps: [setOwnPassword] }),
  'change password without K-ORC': controlPlaneScenario({ mode: 'brownfield', steps: [withoutKorc(setOwnPassword)] }),
  'change password while the secret store is down': controlPlaneScenario({
    mode: 'brownfield',
    steps: [withoutStore(setOwnPassword, minutes(6))],
  }),
  rotate: controlPlaneScenario({ mode: 'brownfield', steps: [rotate] }),
  'rotate with a slow K-ORC': controlPlaneScenario({ mode: 'brownfield', steps: [rotate], script: slowKorc }),
  'rotate while K-ORC fails': controlPlaneScenario({ mode: 'brownfield', steps: [whileKorcFails(rotate)] }),
  'rotate without K-ORC': controlPlaneScenario({ mode: 'brownfield', steps: [withoutKorc(rotate)] }),
  // External Secrets notices within five minutes: before, the old credential is revoked, and after, it is kept.
  'rotate when the secret store goes down': controlPlaneScenario({
    mode: 'brownfield',
    steps: [withoutStore(rotate, now)],
  }),
  'rotate when K-ORC gives up': controlPlaneScenario({ mode: 'brownfield', steps: [refuseOnce, rotate] }),
  'clouds.yaml deleted': controlPlaneScenario({ mode: 'brownfield', steps: [removeCloudsYaml] }),
  'revoked by others': controlPlaneScenario({ mode: 'brownfield', steps: [revoke] }),
  'Keystone replaced': controlPlaneScenario({ mode: 'brownfield', steps: [replaceKeystone] }),
  delete: controlPlaneScenario({ steps: [remove] }),
  'delete brownfield': controlPlaneScenario({ mode: 'brownfield', steps: [remove] }),
  'delete in the foreground': controlPlaneScenario({
    mode: 'brownfield',
    steps: [removeWith('Foreground')],
    // When the operator comes back after the garbage collector, the deletion looks like one that orphans.
    keptAfterCrash: /^keystones\./,
  }),
  'delete in the foreground with a slow K-ORC': controlPlaneScenario({
    mode: 'brownfield',
    steps: [removeWith('Foreground')],
    script: slowKorc,
  }),
  'delete without what depends on it': controlPlaneScenario({
    mode: 'brownfield',
    steps: [removeWith('Orphan')],
    orphans: true,
  }),
  'delete with its Secrets': controlPlaneScenario({
    mode: 'brownfield',
    steps: [removeWithSecrets],
    // Without the last copy of the password, nobody can revoke the credential.
    aftermath: (child) => (child.endsWith('-admin-password-cloud') ? /^outside$/ : undefined),
  }),
  'delete with its namespace': controlPlaneScenario({ mode: 'brownfield', steps: [removeNamespace] }),
  'delete with a slow K-ORC': controlPlaneScenario({ mode: 'brownfield', steps: [remove], script: slowKorc }),
  'delete while K-ORC fails': controlPlaneScenario({ mode: 'brownfield', steps: [whileKorcFails(remove)] }),
  'delete during an outage': controlPlaneScenario({ mode: 'brownfield', steps: [removeDuringOutage] }),
  'delete without Keystone': controlPlaneScenario({ mode: 'brownfield', steps: [removeWithoutKeystone] }),
  'delete without K-ORC': controlPlaneScenario({ mode: 'brownfield', steps: [removeWithoutKorc] }),
  'delete and re-create': controlPlaneScenario({ mode: 'brownfield', steps: [remove, recreate] }),
  'delete without Keystone and re-create': controlPlaneScenario({
    mode: 'brownfield',
    steps: [removeWithoutKeystone, recreateWithKeystone],
  }),
};

/** All of them. */
export const controlPlaneScenarios: ScenarioSet = {
  operator: processName,
  scenarios,
  starts: ['create managed', 'create elected', 'change password', 'rotate'],
};

/** Those that take longest run in `npm run simulate` only. */
const long = [
  'create managed',
  'create elected',
  'create while K-ORC fails',
  'change password',
  'revoked by others',
  'rotate when K-ORC gives up',
  'delete',
  'delete without Keystone',
  'delete and re-create',
];

/** Those of which `npm test` runs a sample. */
export const sampledScenarios: readonly string[] = Object.keys(scenarios).filter((name) => !long.includes(name));
