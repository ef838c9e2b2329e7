// SPDX-License-Identifier: Apache-2.0
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import { withUpgradeToken } from '../raft-token.ts';
import { ageCertificate, provideCertificates } from './certificate-steps.ts';
import { clusterScenario } from './cluster-scenario.ts';
import { electedOperators, processName } from './operator.ts';
import {
  create,
  createAndRemove,
  createUntilServing,
  leadBy,
  loseClaim,
  loseKey,
  loseLeader,
  provideToken,
  recreate,
  recreateWithoutFirstClaim,
  recreateWithKey,
  remove,
  setSpec,
  setSpecWhileUpgrading,
  untilServing,
  whileLeaving,
} from './user-steps.ts';

const transit = {
  type: 'transit',
  transit: { address: 'https://vault.example:8200', keyName: 'k', mountPath: 'transit' },
} as const;
const acme = {
  enabled: true,
  mode: 'ACME',
  acme: { directoryURL: 'https://acme.example/dir', domain: 'bao.example' },
} as const;
const otherKey = 'o'.repeat(32);

/** The simulated lives of a cluster, by name. */
const scenarios: ScenarioSet['scenarios'] = {
  create: clusterScenario({ installed: false, steps: [createUntilServing()] }),
  'create elected': clusterScenario({ installed: false, steps: [createUntilServing()], operator: electedOperators }),
  'create with late certificates': clusterScenario({
    installed: false,
    steps: [create({ tls: { enabled: true, mode: 'External' }, replicas: 1 }), provideCertificates, untilServing],
  }),
  'create with ACME': clusterScenario({ installed: false, steps: [createUntilServing({ tls: acme, replicas: 1 })] }),
  'create with a transit seal': clusterScenario({
    installed: false,
    steps: [createUntilServing({ unseal: transit, replicas: 1 })],
  }),
  'create after mistakes': clusterScenario({
    installed: false,
    steps: [
      create({ image: 'openbao/openbao:mistake', replicas: 1 }),
      setSpec({ image: null, storage: { size: '2Gi' } }),
      untilServing,
    ],
  }),
  scale: clusterScenario({ steps: [setSpec({ replicas: 5 })] }),
  'renew the certificate': clusterScenario({
    steps: [setSpec({ tls: { extraSANs: ['bao.example'] } }), setSpec({ tls: { extraSANs: ['other.example'] } })],
  }),
  'rotate the certificate': clusterScenario({ steps: [ageCertificate] }),
  pause: clusterScenario({ steps: [setSpec({ paused: true, replicas: 5 }), setSpec({ paused: false })] }),
  'change the configuration': clusterScenario({ steps: [setSpec({ config: { log_level: 'debug' } })] }),
  'change the configuration, and hold fewer replicas': clusterScenario({
    steps: [setSpec({ config: { log_level: 'debug' } }), setSpec({ replicas: 2 })],
  }),
  upgrade: clusterScenario({ steps: [setSpec({ version: '2.8.0' })] }),
  'upgrade with the leader at 1': clusterScenario({ steps: [leadBy(1), setSpec({ version: '2.8.0' })] }),
  'upgrade with the leader at 2': clusterScenario({ steps: [leadBy(2), setSpec({ version: '2.8.0' })] }),
  'upgrade while the leader moves': clusterScenario({ steps: [setSpec({ version: '2.8.0' }), loseLeader] }),
  'upgrade a single pod': clusterScenario({
    installed: false,
    steps: [createUntilServing({ replicas: 1 }), setSpec({ version: '2.8.0' })],
  }),
  'upgrade and scale': clusterScenario({ steps: [setSpec({ version: '2.8.0', replicas: 4 })] }),
  'upgrade and scale down': clusterScenario({
    steps: [provideToken, setSpec({ version: '2.8.0', replicas: 1 })],
  }),
  'upgrade while a server leaves': clusterScenario({
    steps: [provideToken, whileLeaving(2, setSpec({ version: '2.8.0' }))],
  }),
  'upgrade and change the configuration meanwhile': clusterScenario({
    steps: [
      setSpecWhileUpgrading({ version: '2.8.0' }, { paused: true }),
      setSpec({ paused: false, config: { log_level: 'debug' } }),
    ],
  }),
  'upgrade to a bad image, and correct it': clusterScenario({
    steps: [setSpecWhileUpgrading({ version: '2.8.0', image: 'openbao/openbao:mistake' }, { image: null })],
  }),
  'upgrade to a bad image, and take it back': clusterScenario({
    steps: [
      setSpecWhileUpgrading({ version: '2.8.0', image: 'openbao/openbao:mistake' }, { version: '2.7.2', image: null }),
    ],
  }),
  'upgrade, and try to take it back': clusterScenario({
    steps: [setSpec({ version: '2.8.0' }), setSpec({ version: '2.7.2' }), setSpec({ version: '2.8.0' })],
  }),
  'upgrade, paused meanwhile': clusterScenario({
    steps: [setSpecWhileUpgrading({ version: '2.8.0' }, { paused: true }), setSpec({ paused: false })],
  }),
  'scale up and down': clusterScenario({
    steps: [provideToken, setSpec({ replicas: 5 }), setSpec({ replicas: 3 }), setSpec({ replicas: 5 })],
  }),
  'scale down to one': clusterScenario({ steps: [provideToken, setSpec({ replicas: 1 })] }),
  'scale down with a token that comes later': clusterScenario({ steps: [setSpec({ replicas: 1 }), provideToken] }),
  'scale up while a server leaves': clusterScenario({
    steps: [provideToken, setSpec({ replicas: 5 }), whileLeaving(3, setSpec({ replicas: 5 }))],
    repeats: /(pods|persistentvolumes|persistentvolumeclaims)\//,
  }),
  'pause while a server leaves': clusterScenario({
    steps: [
      provideToken,
      setSpec({ replicas: 5 }),
      whileLeaving(3, setSpec({ paused: true })),
      setSpec({ paused: false }),
    ],
  }),
  'delete while a server leaves': clusterScenario({
    steps: [provideToken, setSpec({ deletionPolicy: 'DeletePVCs' }), whileLeaving(1, remove())],
  }),
  'delete while a server leaves, and re-create': clusterScenario({
    steps: [
      provideToken,
      setSpec({ replicas: 5 }),
      whileLeaving(4, remove()),
      recreate({ ...withUpgradeToken, replicas: 5 }),
    ],
    repeats: /(pods|persistentvolumes|persistentvolumeclaims)\//,
  }),
  delete: clusterScenario({ steps: [remove()] }),
  'delete with the claims': clusterScenario({ steps: [setSpec({ deletionPolicy: 'DeletePVCs' }), remove()] }),
  'delete everything': clusterScenario({ steps: [setSpec({ deletionPolicy: 'DeleteAll' }), remove()] }),
  'delete while paused': clusterScenario({ steps: [setSpec({ paused: true }), remove()] }),
  'delete in the foreground': clusterScenario({ steps: [remove('Foreground')] }),
  'delete without what depends on it': clusterScenario({
    steps: [setSpec({ deletionPolicy: 'DeleteAll' }), remove('Orphan')],
  }),
  'delete at once': clusterScenario({ installed: false, steps: [createAndRemove] }),
  'delete and re-create': clusterScenario({ steps: [remove(), recreate()] }),
  'delete and re-create larger, with a higher version': clusterScenario({
    steps: [remove(), recreate({ version: '2.8.0', replicas: 5 })],
  }),
  'delete and re-create smaller, with a lower version': clusterScenario({
    steps: [remove(), recreate({ version: '2.6.2', replicas: 1 }), setSpec({ version: '2.7.2' })],
  }),
  'delete and re-create without the first claim and the root token': clusterScenario({
    steps: [remove(), recreateWithoutFirstClaim],
  }),
  'delete and re-create a single pod, with another size': clusterScenario({
    installed: false,
    steps: [createUntilServing({ replicas: 1 }), remove(), recreate({ replicas: 1, storage: { size: '2Gi' } })],
  }),
  'delete and re-create with another key': clusterScenario({ steps: [remove(), recreateWithKey(otherKey)] }),
  'lose the claim of a follower': clusterScenario({ steps: [loseClaim(2)] }),
  'lose the claim of the first pod': clusterScenario({ steps: [loseClaim(0)] }),
  'lose the key': clusterScenario({ steps: [loseKey] }),
};

/** All that is simulated. */
export const openbaoScenarios: ScenarioSet = {
  operator: processName,
  scenarios,
  starts: ['create', 'create elected', 'scale'],
};
