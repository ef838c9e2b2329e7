// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { namesOf } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';
import { cloudsYamlKey, hasSameLogin } from '../../objects/credential/clouds-yaml.ts';
import { valueIn } from '../../objects/credential/credential-secrets.ts';
import type { Published } from './publish-document.ts';
import { releaseTerminating, terminatingTimeout } from './release-terminating.ts';

type ReleaseContext = Pick<ContextWith, 'object' | 'services' | 'get' | 'release'>;

/**
 * Lets a deleted Secret of clouds.yaml be replaced once External Secrets is known to be running: until then, its content is
 * still useful.
 *
 * @returns when to look again; undefined when there is nothing to do.
 */
export async function releaseMaterialized(
  document: SecretValue,
  { push, sync }: Published,
  terminating: Duration,
  context: ReleaseContext,
): Promise<Duration | undefined> {
  const secret = context.get(Secret, namesOf(context.object).cloudsYaml);
  const isAtWork = sync === undefined ? isReady(push) && isAwaited(context) : isRefreshed(document, sync, secret);
  return isAtWork ? await releaseTerminating(secret, terminating, context) : undefined;
}

/** Whether External Secrets has brought the Secret up to date since it was deleted. */
function isRefreshed(document: SecretValue, sync: ExternalSecret, secret: Secret | undefined): boolean {
  const content = valueIn(secret, cloudsYamlKey);
  if (!isReady(sync) || content === undefined || !hasSameLogin(document, content)) return false;
  const refreshed = Date.parse(sync.status?.refreshTime ?? '');
  const deleted = Date.parse(secret?.metadata.deletionTimestamp ?? '');
  return refreshed >= deleted - terminatingTimeout;
}

/**
 * Whether the ExternalSecret was deleted in the foreground, and only the Secret still holds it: External Secrets has removed
 * its finalizer, and no longer updates the Secret.
 */
function isAwaited({ object: controlPlane, services: { secretStore }, get }: ReleaseContext): boolean {
  const { deletionTimestamp, finalizers = [] } = get(ExternalSecret, namesOf(controlPlane).cloudsYaml)?.metadata ?? {};
  if (deletionTimestamp === undefined || !isReady(get(ClusterSecretStore, secretStore))) return false;
  return finalizers.every((each) => each === 'foregroundDeletion');
}
