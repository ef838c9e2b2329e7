// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import type { Namespace, Pod } from '@forge/kube/kinds/builtin.ts';
import { specOf } from '../../objects/pod-spec.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';

/** The label that a namespace must have; a namespace without it is not privileged. */
const [levelLabel, level] = ['pod-security.kubernetes.io/enforce', 'privileged'];

/**
 * Whether a container gets the seccomp filter: all do, except those with the profile Unconfined in a namespace of the
 * Pod Security level privileged. Throws {@link ContainerConfigError} for other profiles.
 */
export async function isConfined(
  pod: Pod,
  container: Container,
  namespace: () => Promise<Namespace | undefined>,
): Promise<boolean> {
  const profile = container.securityContext?.seccompProfile ?? specOf(pod).securityContext?.seccompProfile;
  const type = profile?.type ?? 'RuntimeDefault';
  if (type === 'RuntimeDefault') return true;
  const what = `seccompProfile ${type} of container ${container.name}`;
  if (type !== 'Unconfined') {
    const named = profile?.localhostProfile === undefined ? '' : ` (${profile.localhostProfile})`;
    throw new ContainerConfigError(`${what}${named} is not supported: use RuntimeDefault`);
  }
  if ((await namespace())?.metadata.labels?.[levelLabel] === level) return false;
  throw new ContainerConfigError(`${what} needs a namespace with the label ${levelLabel}: ${level}`);
}
