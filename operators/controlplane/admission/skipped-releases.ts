// SPDX-License-Identifier: Apache-2.0
import { compareReleases, isNextRelease, parseRelease, type Release } from '@forge/openstack/release.ts';
import type { ControlPlane } from '../control-plane.ts';

/** Warns of a release that Keystone will refuse to upgrade to: it goes one release at a time, and the field never back. */
export function skippedReleases({ spec }: ControlPlane, before: ControlPlane | undefined): string[] {
  const { openStackRelease: wanted, services } = spec;
  if (before === undefined || services.keystone.image !== undefined) return [];
  const old = before.spec.services.keystone.image?.tag ?? before.spec.openStackRelease;
  const installed = releaseIn(old);
  const release = releaseIn(wanted);
  if (installed === undefined || old === wanted) return [];
  if (release !== undefined && (compareReleases(release, installed) <= 0 || isNextRelease(installed, release)))
    return [];
  const next = installed.minor === 1 ? `${installed.year}.2` : `${installed.year + 1}.1`;
  const field = 'spec.openStackRelease';
  const image = 'the tag of spec.services.keystone.image';
  return [
    release === undefined
      ? `${field}: there is no OpenStack ${wanted}, and the field cannot be lowered again; set it to ${next}, or ${image} to ` +
        `${old} to stay`
      : `${field}: ${wanted} is not the release after ${old}, so that Keystone refuses it, and the field cannot be lowered ` +
        `again; set ${image} to ${next}, or to ${old} to stay, and remove the image once ${next} is installed`,
  ];
}

function releaseIn(tag: string): Release | undefined {
  try {
    return parseRelease(tag);
  } catch {
    return undefined;
  }
}
