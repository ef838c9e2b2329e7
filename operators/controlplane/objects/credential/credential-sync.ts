// SPDX-License-Identifier: Apache-2.0
import type { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { pushContentHashAnnotation, pushSecret } from '@forge/openstack/secret-store.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { forceSyncAnnotation, namesOf, remoteKeysOf } from '../../api/names.ts';
import { externalSecret } from '../external-secrets.ts';
import { cloudsYamlKey } from './clouds-yaml.ts';

/** Copies the whole Secret of the application credential to OpenBao, where it stays when the ControlPlane is deleted. */
export function credentialPush(
  controlPlane: ControlPlane,
  { store, stamp }: { store: string; stamp: string },
): PushSecret {
  const { backup, applicationCredential } = namesOf(controlPlane);
  const remoteKey = remoteKeysOf(controlPlane).applicationCredential;
  return pushSecret({ name: backup, stamp, secret: applicationCredential, store, remoteKey, deletionPolicy: 'None' });
}

/** Copies the clouds.yaml back, into the Secret that K-ORC and others log in with. */
export function cloudsYamlSync(
  controlPlane: ControlPlane,
  { store, trigger }: { store: string; trigger: string },
): ExternalSecret {
  const { metadata, ...rest } = externalSecret(namesOf(controlPlane).cloudsYaml, {
    store,
    key: remoteKeysOf(controlPlane).applicationCredential,
    properties: [cloudsYamlKey],
  });
  return { ...rest, metadata: { ...metadata, annotations: { [forceSyncAnnotation]: trigger } } };
}

/** What a stamp is computed from. */
interface PushState {
  /** Digest of the document. */
  readonly hash: string;
  /** The PushSecret as it is. */
  readonly live: PushSecret | undefined;
  /**
   * Since when the document is known not to have come back from OpenBao; undefined when it has, or while this is not known.
   */
  readonly missingSince: number | undefined;
  readonly now: number;
}

/** A document that does not arrive is pushed again after the first, and later after pauses up to the second. */
export const firstRepetition = seconds(60);
export const longestPause = minutes(15);

/**
 * The stamp on the PushSecret. It changes with the document, because External Secrets does not watch the Secret. If the
 * document was pushed and does not arrive, because somebody emptied or overwrote the entry in OpenBao, a counter in the stamp
 * is incremented, which causes another push.
 */
export function pushStamp({ hash, live, missingSince, now }: PushState): string {
  const stamp = live?.metadata.annotations?.[pushContentHashAnnotation] ?? '';
  const [stamped, count = '0', ...since] = stamp.split('-');
  if (stamped !== hash) return hash;
  const { refreshTime = '', syncedResourceVersion = '' } = live?.status ?? {};
  const pushed = Date.parse(refreshTime);
  // The last repetition must have been pushed as well: External Secrets may be down.
  const isPushed = isReady(live) && !Number.isNaN(pushed) && since.join('-') !== syncedResourceVersion;
  if (missingSince === undefined || !isPushed) return stamp;
  const pause = Math.min(
    firstRepetition * 2 ** Number(count),
    longestPause,
    Math.max(firstRepetition, pushed - missingSince),
  );
  const isDue = now - Math.max(pushed, missingSince) >= pause;
  return isDue ? `${hash}-${Number(count) + 1}-${syncedResourceVersion}` : stamp;
}

/**
 * The trigger on the ExternalSecret. It changes after every push, so that what was pushed is read; it does not change between a
 * stamp and its push, when the previous content would be read.
 */
export function syncTrigger(hash: string, push: PushSecret, live: ExternalSecret | undefined): string {
  const pushed = push.status?.syncedResourceVersion ?? '';
  const trigger = live?.metadata.annotations?.[forceSyncAnnotation];
  return trigger?.endsWith(`/${pushed}`) === true ? trigger : `${hash}/${pushed}`;
}
