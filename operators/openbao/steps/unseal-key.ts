// SPDX-License-Identifier: Apache-2.0
// Whoever loses the key loses the data. So a key is made once, while there is no data that another one could have sealed, and
// its fingerprint is remembered in status and, from their birth, on the claims. From then on a Secret that is missing or holds
// another key stops everything that could restart a pod: servers that run keep the right key in their memory and their volume,
// and a person can copy it from there.
import { PersistentVolumeClaim, Secret } from '@forge/kube/kinds/builtin.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { blocked, checkpoint, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { ContextWith, Services } from '../clients/services.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { fingerprintOf, unsealKeyIn, unsealKeySecret } from '../objects/secrets.ts';
import { dataClaims, liveClaims } from './servers.ts';
import { step } from './step.ts';

const keyBytes = 32;

/** Makes the key of the static seal, and watches over it. Its output is the fingerprint; undefined for other seals. */
export const unsealKey = step({
  name: 'UnsealKey',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  owns: [owned(Secret, ['create', 'adopt'])],
  reads: [
    dataClaims,
    liveClaims,
    reads<OpenBaoCluster, Services, PersistentVolumeClaim>(
      PersistentVolumeClaim,
      (cluster) => [namesOf(cluster).claim(0)],
      { live: true },
    ),
    reads(Secret, (cluster) => [namesOf(cluster).unsealKeySecret]),
  ],
  modifies: [modified(Secret, 'patch')],
  writes: ['unsealKeyFingerprint'],
  async run(context) {
    const { object: cluster, get, select, create, patch, random } = context;
    if (cluster.spec.unseal.type !== 'static') return ready<string | undefined>();
    const name = namesOf(cluster).unsealKeySecret;
    const known = knownFingerprints(cluster, select(dataClaims));
    const secret = get(Secret, name);
    const isMissing = secret === undefined ? !(await isWithoutData(context)) : isEmpty(secret);
    if (isMissing) return blocked(degradedCases.unsealKeyMissing({ name }));
    const key = secret === undefined ? random.bytes(keyBytes) : unsealKeyIn(secret);
    const live = await create(unsealKeySecret(cluster, key), { adopt: true, retainOnDelete: true });
    const fingerprint = fingerprintOf(unsealKeyIn(live));
    const isOther = known.some((each) => each !== fingerprint);
    if (isOther && !(await isWithoutData(context))) return blocked(degradedCases.unsealKeyMismatch({ name }));
    // A restored Secret may be mutable: the kubelet would follow a later mistake, and the last copies would be gone.
    if (live.immutable !== true) await patch(Secret, live, { immutable: true });
    if (cluster.status?.unsealKeyFingerprint !== fingerprint) return checkpoint({ unsealKeyFingerprint: fingerprint });
    return ready<string | undefined>({ output: fingerprint });
  },
});

/** Whether the Secret is there without its key: a server would not start with it. */
const isEmpty = (secret: Secret) => unsealKeyIn(secret).bytes().length === 0;

/** The fingerprints of the key that are remembered. */
function knownFingerprints({ status }: OpenBaoCluster, claims: readonly PersistentVolumeClaim[]): string[] {
  const onClaims = claims.map(({ metadata }) => metadata.annotations?.[annotations.unsealKeyFingerprint]);
  return [status?.unsealKeyFingerprint, ...onClaims].filter((each) => each !== undefined);
}

/** Whether there is nothing yet that a key could have sealed; a claim that has lost its labels counts, too. */
async function isWithoutData({ object: cluster, fetch, fetchAll }: ContextWith): Promise<boolean> {
  if (cluster.status?.initialized === true) return false;
  const first = await fetch(PersistentVolumeClaim, namesOf(cluster).claim(0));
  return first === undefined && (await fetchAll(liveClaims)).length === 0;
}
