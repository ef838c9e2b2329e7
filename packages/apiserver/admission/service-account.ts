// SPDX-License-Identifier: Apache-2.0
import type { PodSpec } from '@forge/kube/generated/types.ts';
import type { Pod, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { isMirrorPod } from '../access/pod-references.ts';
import type { WriteStep } from '../request/write.ts';
import { admissionDenied } from './admission-denied.ts';
import { mirrorPodProblem } from './mirror-pod.ts';
import { mountToken } from './token-volume.ts';

/** Sets the ServiceAccount of a new pod, with its token volume and image pull secrets. */
export const serviceAccount: WriteStep = (write, { store, random }) => {
  const { resource, namespace, object, before } = write;
  const pod = object as Pod;
  const { spec } = pod;
  if (resource.name !== 'pods' || before !== undefined || spec === undefined) return object;
  if (isMirrorPod(pod)) {
    const problem = mirrorPodProblem(spec);
    if (problem !== undefined) throw admissionDenied(write, `a mirror pod may not ${problem}`);
    return object;
  }
  const { serviceAccountName: wanted = '' } = spec;
  const name = wanted === '' ? 'default' : wanted;
  const account = store.current.objects.get(`serviceaccounts/${namespace}/${name}`)?.value as
    | ServiceAccount
    | undefined;
  if (account === undefined) {
    throw admissionDenied(
      write,
      `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
    );
  }
  const isMounted = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  const served: PodSpec = {
    ...spec,
    ...(isMounted && mountToken(spec, random)),
    serviceAccountName: name,
    serviceAccount: name,
    ...pullSecretsOf(spec, account),
  };
  return { ...pod, spec: served } as Pod;
};

/** Pods without image pull secrets use those of their ServiceAccount. */
function pullSecretsOf({ imagePullSecrets = [] }: PodSpec, account: ServiceAccount): Pick<PodSpec, 'imagePullSecrets'> {
  const given = account.imagePullSecrets ?? [];
  if (imagePullSecrets.length > 0 || given.length === 0) return {};
  return { imagePullSecrets: given.map(({ name }) => (name === undefined ? {} : { name })) };
}
