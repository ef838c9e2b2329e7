// SPDX-License-Identifier: Apache-2.0
import type { Keystone } from '@forge/keystone/api/keystone.ts';
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import { compareReleases, isNextRelease, nextReleaseOf, parseRelease, type Release } from '@forge/openstack/release.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { downgradeMessage, skippedMessage, unknownReleaseMessage } from '../api/spec.ts';
import { isRelease } from './spec-errors.ts';

/** Whether a change concerns the release that Keystone is to have. */
export const changesRelease = (now: ControlPlane, before: ControlPlane) =>
  now.spec.openStackRelease !== before.spec.openStackRelease || (hasImage(before) && !hasImage(now));

/**
 * The error of a release that Keystone would refuse: older than the installed one, or not the next one. It is compared with the
 * installed release, not with the previous spec, so that a mistake can be corrected; only if no Keystone is known, with the
 * previous spec.
 */
export function releaseErrors(now: ControlPlane, before: ControlPlane, keystone: Keystone | undefined): FieldError[] {
  const wanted = now.spec.openStackRelease;
  if (!isRelease(wanted) || !changesRelease(now, before)) return [];
  const refused = (message: string) => [invalidValue('spec.openStackRelease', wanted, message)];
  if (keystone === undefined) {
    const old = before.spec.openStackRelease;
    // Releases have a fixed width: the order of their texts is that of their numbers.
    return isRelease(old) && wanted < old ? refused(downgradeMessage(old, wanted)) : [];
  }
  const tag = keystone.status?.installedRelease ?? '';
  const installed = releaseIn(tag);
  if (installed === undefined) return [];
  const release = releaseIn(wanted);
  if (release !== undefined && compareReleases(release, installed) < 0) return refused(downgradeMessage(tag, wanted));
  // The image takes precedence over the release, which is checked when the image is removed.
  if (hasImage(now)) return [];
  const next = nextReleaseOf(installed);
  if (release === undefined) return refused(unknownReleaseMessage(wanted, tag, next));
  const fits = compareReleases(release, installed) === 0 || isNextRelease(installed, release);
  return fits ? [] : refused(skippedMessage(wanted, tag, next));
}

const hasImage = ({ spec }: ControlPlane) => spec.services.keystone.image !== undefined;

function releaseIn(tag: string): Release | undefined {
  try {
    return parseRelease(tag);
  } catch {
    return undefined;
  }
}
