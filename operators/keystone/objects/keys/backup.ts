// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import type { Keystone } from '../../keystone.ts';
import { commonLabels, keyNamesOf, pushContentHashAnnotation, type KeyFlavour } from '../../names.ts';

/** The copy of a production Secret in the secret store; it goes with its PushSecret. */
export function backupPushSecret(
  keystone: Keystone,
  flavour: KeyFlavour,
  { store, production }: { store: string; production: Secret },
): PushSecret {
  return pushSecret(keystone, flavour, store, contentStamp(production), { deletionPolicy: 'Delete' });
}

/**
 * The same without its source: External Secrets deletes a copy whose source is gone, and pushes an empty one, at its next
 * refresh. So it may do neither until the keys are back; the stamp stays, since a new one would be a refresh.
 */
export function protectedBackup(keystone: Keystone, flavour: KeyFlavour, store: string, live: PushSecret): PushSecret {
  const stamp = live.metadata.annotations?.[pushContentHashAnnotation] ?? '';
  return pushSecret(keystone, flavour, store, stamp, { deletionPolicy: 'None', updatePolicy: 'IfNotExists' });
}

/** Defaults are left to the server, except inside a list, where they would show as a difference whenever the operator starts. */
function pushSecret(
  keystone: Keystone,
  flavour: KeyFlavour,
  store: string,
  stamp: string,
  policies: Pick<PushSecret['spec'], 'deletionPolicy' | 'updatePolicy'>,
): PushSecret {
  const { name, namespace } = keystone.metadata;
  const { backup, keys } = keyNamesOf(keystone, flavour);
  const remoteKey = `openstack/keystone/${namespace}/${name}/${flavour}-keys`;
  return {
    apiVersion: 'external-secrets.io/v1alpha1',
    kind: 'PushSecret',
    metadata: {
      name: backup,
      labels: commonLabels(keystone),
      annotations: { [pushContentHashAnnotation]: stamp },
    },
    spec: {
      ...policies,
      secretStoreRefs: [{ kind: 'ClusterSecretStore', name: store }],
      selector: { secret: { name: keys } },
      data: [{ conversionStrategy: 'None', match: { remoteRef: { remoteKey } } }],
    },
  };
}

/**
 * Changes with the keys, and with the Secret itself: one that was deleted and restored with the same keys must be pushed
 * again, since External Secrets may have deleted the copy meanwhile and would leave it at that.
 */
function contentStamp({ metadata, data = {} }: Secret): string {
  const entries = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([metadata.uid, entries]))
    .digest('hex');
}

/** Whether a change of a backup can matter: status alone does not. */
export function concernsBackup({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return true;
  const [was, is] = [before.metadata, after.metadata];
  return (
    was.generation !== is.generation ||
    (was.deletionTimestamp === undefined) !== (is.deletionTimestamp === undefined) ||
    String(was.finalizers ?? []) !== String(is.finalizers ?? [])
  );
}
