// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import {
  ConfigMap,
  CustomResourceDefinition,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { openbaoPolicy } from '@forge/openbao/admission/policy.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { completeCluster } from '@forge/openbao/test/complete-cluster.ts';
import { openbaoFixture } from '@forge/openbao/test/openbao-fixture.ts';
import { admissionPolicyObjects } from '@forge/runtime/webhook/admission-policy.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import { benchServer } from '../harness/bench-server.ts';
import type { Figure } from '../harness/figure.ts';
import { median, ratios, timesByName } from '../harness/measure.ts';
import { configMap } from '../harness/objects.ts';

const count = 500;
const rounds = 28;
// The clock of a thread may tick every 4 ms, a fifth of a round: rounds are counted together.
const roundsInSample = 4;
// The compiler optimizes after this many.
const warmUps = 10;

// Four settings, one of them a duration, and backups with everything that they can have.
const { config, backup } = completeCluster().spec as Required<OpenBaoCluster['spec']>;

/**
 * What admission policies cost: creates on a server with the policy of OpenBaoClusters, against the same creates on a server
 * without it, in turns.
 */
export async function policies(): Promise<Figure[]> {
  const [without, guarded] = [await benchServer(), await benchServer()];
  for (const { api } of [without, guarded]) await api.create(CustomResourceDefinition, crdOf(OpenBaoCluster));
  const [policy, binding] = admissionPolicyObjects(openbaoPolicy);
  await guarded.api.create(ValidatingAdmissionPolicy, policy);
  await guarded.api.create(ValidatingAdmissionPolicyBinding, binding);
  let serial = 0;
  const creates = (api: Client, spec?: Partial<OpenBaoCluster['spec']>) => async () => {
    for (let index = 0; index < count; index += 1) {
      const { metadata, ...rest } = openbaoFixture(spec);
      await api.create(OpenBaoCluster, { ...rest, metadata: { ...metadata, name: `c-${(serial += 1)}` } });
    }
  };
  const others = (api: Client) => async () => {
    for (let index = 0; index < count; index += 1) await api.create(ConfigMap, configMap(`c-${(serial += 1)}`));
  };
  const works = {
    without: creates(without.api),
    guarded: creates(guarded.api),
    withSettings: creates(without.api, { config }),
    guardedSettings: creates(guarded.api, { config }),
    withBackup: creates(without.api, { backup }),
    guardedBackup: creates(guarded.api, { backup }),
    whole: creates(without.api, { config, backup }),
    guardedWhole: creates(guarded.api, { config, backup }),
    othersWithout: others(without.api),
    othersGuarded: others(guarded.api),
  };
  const times = await timesByName(threadTime, works, rounds, warmUps);
  await Promise.all([without.server.close(), guarded.server.close()]);
  return [
    figure('create an OpenBaoCluster under its policy', times.guarded, times.without, 1.2),
    figure('create an OpenBaoCluster with four settings', times.guardedSettings, times.withSettings, 1.2),
    figure('create an OpenBaoCluster with backups', times.guardedBackup, times.withBackup, 1.2),
    figure('create an OpenBaoCluster with settings and backups', times.guardedWhole, times.whole, 1.2),
    figure('create a ConfigMap, which no policy matches', times.othersGuarded, times.othersWithout, 1.1),
  ];
}

function figure(what: string, first: readonly number[], second: readonly number[], atMost: number): Figure {
  const ratio = [first, second].map((each) => ((median(each) / count) * 1000).toFixed(0)).join(' to ') + ' µs';
  return { what, samples: ratios(sums(first), sums(second)), unit: '×', goal: { atMost }, ratio };
}

/** The times of the rounds that are counted together. */
function sums(times: readonly number[]): number[] {
  return Array.from({ length: times.length / roundsInSample }, (_, index) =>
    times.slice(index * roundsInSample, (index + 1) * roundsInSample).reduce((sum, time) => sum + time, 0),
  );
}
