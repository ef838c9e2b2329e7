// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import type { Keystone } from '../../keystone.ts';
import { commonLabels, keyNamesOf, pushContentHashAnnotation, type KeyFlavour } from '../../names.ts';

/**
 * The copy of a production Secret in the secret store. Defaults are left to the server, except inside a list, where they
 * would show as a difference whenever the operator starts.
 */
export function backupPushSecret(
  keystone: Keystone,
  flavour: KeyFlavour,
  { store, production }: { store: string; production: Secret },
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
      annotations: { [pushContentHashAnnotation]: contentStamp(production) },
    },
    spec: {
      deletionPolicy: 'Delete',
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
