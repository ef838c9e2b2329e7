// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { managedSecretLabel, namesOf } from '../../api/names.ts';
import { secretConflicts } from '../../api/secret-conflicts.ts';
import type { ContextWith } from '../../clients/services.ts';
import { korcReady as cases } from '../../conditions/korc.ts';

/**
 * The condition when External Secrets would overwrite somebody's Secret with clouds.yaml: one that the ControlPlane also names
 * elsewhere, which objects older than the rule may do, or one that exists before the ExternalSecret does.
 */
export function secretInTheWay({
  object: controlPlane,
  get,
}: Pick<ContextWith, 'object' | 'get'>): Statement | undefined {
  const conflict = secretConflicts(controlPlane).find(({ field }) => field === 'cloudsYaml');
  if (conflict !== undefined) return cases.secretNameConflict({ conflict: conflict.message });
  const { cloudsYaml } = namesOf(controlPlane);
  const secret = get(Secret, cloudsYaml);
  if (secret === undefined || get(ExternalSecret, cloudsYaml) !== undefined) return undefined;
  const isSynced = controllerOf(secret) !== undefined || secret.metadata.labels?.[managedSecretLabel] === 'true';
  return isSynced ? undefined : cases.unownedSecret({ secret: cloudsYaml });
}
