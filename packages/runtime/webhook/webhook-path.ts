// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { AdmissionPhase } from './answer-review.ts';

/** The path of a webhook: `/validate-keystone-openstack-c5c3-io-v1alpha1-keystone`. */
export function webhookPath(
  turn: AdmissionPhase,
  { group, version, kind }: Pick<Kind, 'group' | 'version' | 'kind'>,
): string {
  return `/${turn}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}
