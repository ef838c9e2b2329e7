// SPDX-License-Identifier: Apache-2.0
// Without its key the data is lost. So a key is generated once, while there is no data that another one could have sealed. Its
// fingerprint is recorded in status, and on each claim when it is created. From then on, a Secret that is missing or holds
// another key stops everything that could restart a pod: running servers have the right key in memory and in a volume, from
// which an administrator can copy it.
import { PersistentVolumeClaim, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { blocked, checkpoint, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, clusterLabel, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { ContextWith } from '../clients/services.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { fingerprintOf, unsealKeyIn, unsealKeySecret } from '../objects/secrets.ts';
import { relabelHiddenClaims } from './hidden-claims.ts';
import { claimsByName, dataClaims, liveClaims } from './servers.ts';
import { step } from './step.ts';

const keyBytes = 32;

/** Generates the key of the static seal, and checks that it stays the same. Its output is the fingerprint; undefined for other seals. */
export const unsealKey = step({
  name: 'UnsealKey',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  owns: [owned(Secret, ['create', 'adopt'])],
  reads: [
    dataClaims,
    liveClaims,
    reads(Secret, (cluster) => [namesOf(cluster).unsealKeySecret]),
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
  ],
  modifies: [modified(Secret, 'patch'), modified(PersistentVolumeClaim, 'patch')],
  writes: ['unsealKeyFingerprint'],
  async run(context) {
    const { object: cluster, get, select, create, patch, random } = context;
    const { unsealKeySecret: name, statefulSet } = namesOf(cluster);
    const hidden = get(StatefulSet, statefulSet) === undefined ? await relabelHiddenClaims(context) : [];
    if (hidden.length > 0) {
      const what = `the labels of PersistentVolumeClaim ${hidden.join(', ')}`;
      return waiting(degradedCases.prerequisitesMissing({ what }));
    }
    const known = knownFingerprints(cluster, select(dataClaims));
    const { type } = cluster.spec.unseal;
    if (type !== 'static' && known.length > 0) return blocked(degradedCases.sealMismatch({ name, type }));
    if (type !== 'static') return ready<string | undefined>();
    const secret = get(Secret, name);
    const isMissing = secret === undefined ? !(await isWithoutData(context)) : isEmpty(secret);
    if (isMissing) return blocked(degradedCases.unsealKeyMissing({ name }));
    const key = secret === undefined ? random.bytes(keyBytes) : unsealKeyIn(secret);
    const live = await create(unsealKeySecret(cluster, key), { adopt: true, retainOnDelete: true });
    const fingerprint = fingerprintOf(unsealKeyIn(live));
    const isOther = known.some((each) => each !== fingerprint);
    if (isOther && !(await isWithoutData(context))) return blocked(degradedCases.unsealKeyMismatch({ name }));
    // A restored Secret may be mutable: the kubelet would mount a wrong key over the last copies of the right one.
    if (live.immutable !== true) await patch(Secret, live, { immutable: true });
    if (cluster.status?.unsealKeyFingerprint !== fingerprint) return checkpoint({ unsealKeyFingerprint: fingerprint });
    return ready<string | undefined>({ output: fingerprint });
  },
});

/** Whether the Secret is there without its key: a server would not start with it. */
const isEmpty = (secret: Secret) => unsealKeyIn(secret).bytes().length === 0;

/** The recorded fingerprints. */
function knownFingerprints({ status }: OpenBaoCluster, claims: readonly PersistentVolumeClaim[]): string[] {
  const onClaims = claims.map(({ metadata }) => metadata.annotations?.[annotations.unsealKeyFingerprint]);
  return [status?.unsealKeyFingerprint, ...onClaims].filter((each) => each !== undefined);
}

/** Whether there is no data yet that a key could have sealed. */
async function isWithoutData(context: ContextWith): Promise<boolean> {
  return context.object.status?.initialized !== true && (await claimsByName(context)).length === 0;
}
