// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { pushContentHashAnnotation } from '@forge/openstack/secret-store.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { namesOf } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';
import { adminCredentialReady } from '../../conditions/admin-credential.ts';
import { korcReady } from '../../conditions/korc.ts';
import { childState } from '../../objects/child-state.ts';
import { cloudsYamlKey, documentHash, hasSameLogin } from '../../objects/credential/clouds-yaml.ts';
import { valueIn } from '../../objects/credential/credential-secrets.ts';
import { cloudsYamlSync, credentialPush, pushStamp, syncTrigger } from '../../objects/credential/credential-sync.ts';
import { pendingSince } from '../../objects/credential/pending-since.ts';

/** The condition when a write is refused: of the document, the PushSecret, its stamp, the ExternalSecret. */
type Refusals = Readonly<Record<'document' | 'push' | 'stamp' | 'sync', (values: { error: string }) => Statement>>;

/** Before there is a credential. */
export const seeding: Refusals = {
  document: korcReady.seedRefused,
  push: korcReady.pushSecretRefused,
  stamp: korcReady.pushSecretRefused,
  sync: korcReady.externalSecretRefused,
};

/** Of a credential. */
export const publishing: Refusals = {
  document: adminCredentialReady.documentRefused,
  push: adminCredentialReady.pushSecretRefused,
  stamp: adminCredentialReady.pushRefused,
  sync: adminCredentialReady.syncRefused,
};

/** The PushSecret and the ExternalSecret of the document; undefined while one of an earlier ControlPlane still exists. */
export interface Published {
  readonly push: PushSecret | undefined;
  readonly sync: ExternalSecret | undefined;
}

interface Content {
  readonly secret: Secret;
  readonly content: SecretValue;
  readonly isCredential: boolean;
}

type PublishContext = Pick<ContextWith, 'object' | 'services' | 'get' | 'apply' | 'patch' | 'clock'>;

/** Writes the document, then the stamp that causes the push, and after the push the trigger that causes the read. */
export async function publishDocument(
  { secret, content, isCredential }: Content,
  refusals: Refusals,
  context: PublishContext,
): Promise<Published> {
  const { object: controlPlane, services, get, apply, patch, clock } = context;
  const { secretStore: store } = services;
  const names = namesOf(controlPlane);
  await failOnError(
    (error) => refusals.document({ error }),
    () => patch(Secret, secret, { data: { [cloudsYamlKey]: content.base64() } }),
  );

  const hash = documentHash(content);
  const oldPush = get(PushSecret, names.backup);
  const oldSync = get(ExternalSecret, names.cloudsYaml);
  const materialized = valueIn(get(Secret, names.cloudsYaml), cloudsYamlKey);
  const isBack =
    isReady(oldSync) && (!isCredential || (materialized !== undefined && hasSameLogin(content, materialized)));
  const missingSince = isBack ? undefined : pendingSince(controlPlane);
  const stamp = pushStamp({ hash, live: oldPush, missingSince, now: clock.now() });
  const isStamped = oldPush === undefined || oldPush.metadata.annotations?.[pushContentHashAnnotation] === stamp;
  const push =
    childState(oldPush, controlPlane) === 'terminating'
      ? undefined
      : await failOnError(
          (error) => (isStamped ? refusals.push : refusals.stamp)({ error }),
          () => apply(credentialPush(controlPlane, { store, stamp }), { adopt: true }),
        );
  if (push === undefined || childState(oldSync, controlPlane) === 'terminating') return { push, sync: undefined };

  const trigger = syncTrigger(hash, push, oldSync);
  const sync = await failOnError(
    (error) => refusals.sync({ error }),
    () => apply(cloudsYamlSync(controlPlane, { store, trigger }), { adopt: true }),
  );
  return { push, sync };
}
