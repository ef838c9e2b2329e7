// SPDX-License-Identifier: Apache-2.0
import { compareReleases, isNextRelease, parseRelease, type Release } from '@forge/openstack/release.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';
import type { Keystone } from '../../api/keystone.ts';
import { databaseReady } from '../../conditions/database.ts';
import { upgradeEvents } from '../../conditions/upgrade.ts';

/** Where an upgrade stands. */
export type UpgradePhase = 'Expanding' | 'Migrating' | 'RollingUpdate' | 'Contracting';

/** An upgrade under way, or about to begin. */
export interface Upgrade {
  readonly from: string;
  readonly to: string;
}

/** What to do about the release. */
export type ReleaseDecision =
  /** The schema is brought to the release of the tag. */
  | { readonly action: 'sync' }
  /** An aborted upgrade has expanded it: the old release works on it, but its own db_sync would fail. */
  | { readonly action: 'stayAhead'; readonly from: string; readonly target: string }
  | { readonly action: 'refuse'; readonly refusal: Refusal }
  | { readonly action: 'start'; readonly upgrade: Upgrade }
  | { readonly action: 'run'; readonly phase: UpgradePhase; readonly upgrade: Upgrade }
  /** Another patch of the same target. */
  | { readonly action: 'retarget'; readonly phase: UpgradePhase }
  | { readonly action: 'abort'; readonly phase: UpgradePhase; readonly upgrade: Upgrade };

/** Why a tag is refused. */
export interface Refusal {
  readonly statement: Statement;
  readonly event: EventNote;
}

type ReleaseStatus = Pick<
  NonNullable<Keystone['status']>,
  'installedRelease' | 'targetRelease' | 'upgradePhase' | 'expandedRelease'
>;

/** Decides by the tag that is wanted and by what status remembers. */
export function decideRelease(tag: string, status: ReleaseStatus = {}): ReleaseDecision {
  const { installedRelease: installed, targetRelease: target, upgradePhase, expandedRelease: expanded } = status;
  const phase = upgradePhase === undefined ? undefined : checkedPhase(upgradePhase);
  if (installed === undefined) return { action: 'sync' };
  if (phase !== undefined && target !== undefined) return duringUpgrade(tag, installed, target, phase);
  const path = installed === tag ? 'same' : pathOf(installed, tag);
  if (path === 'next') return { action: 'start', upgrade: { from: installed, to: tag } };
  if (path !== 'same') return { action: 'refuse', refusal: path };
  return expanded === undefined ? { action: 'sync' } : { action: 'stayAhead', from: installed, target: expanded };
}

/** The tag of the pods that serve meanwhile: the new one from the rolling update on. */
export function servingTagOf(status: ReleaseStatus, tag: string): string {
  const { installedRelease, targetRelease, upgradePhase } = status;
  const isNew = upgradePhase === 'RollingUpdate' || upgradePhase === 'Contracting';
  return (isNew ? targetRelease : installedRelease) ?? tag;
}

/** The refusal of a tag that would lead to an older release. */
export function downgradeRefusal(from: string, to: string): Refusal {
  return { statement: databaseReady.downgrade({ from, to }), event: upgradeEvents.downgrade({ from, to }) };
}

/** Whether both name one release, whatever their patches. */
export function isSameRelease(a: string, b: string): boolean {
  const [left, right] = [parsed(a), parsed(b)];
  return 'release' in left && 'release' in right && compareReleases(left.release, right.release) === 0;
}

/** Whether the tag names a release. */
export function isRelease(tag: string): boolean {
  return 'release' in parsed(tag);
}

function duringUpgrade(tag: string, installed: string, target: string, phase: UpgradePhase): ReleaseDecision {
  const upgrade = { from: installed, to: target };
  if (tag === installed) return { action: 'abort', phase, upgrade };
  if (tag === target) return { action: 'run', phase, upgrade };
  if (isSameRelease(tag, target)) return { action: 'retarget', phase };
  const values = { tag, from: installed, target };
  const refusal = {
    statement: databaseReady.targetChanged(values),
    event: upgradeEvents.targetChanged(values),
  };
  return { action: 'refuse', refusal };
}

/** Where the tag leads from the installed release. */
function pathOf(from: string, to: string): 'same' | 'next' | Refusal {
  const installed = parsed(from);
  if ('error' in installed) {
    const values = { release: from, error: installed.error };
    return {
      statement: databaseReady.installedNotParsed(values),
      event: upgradeEvents.installedNotParsed(values),
    };
  }
  const target = parsed(to);
  if ('error' in target) {
    const values = { release: to, error: target.error };
    return { statement: databaseReady.targetNotParsed(values), event: upgradeEvents.targetNotParsed(values) };
  }
  const order = compareReleases(installed.release, target.release);
  if (order === 0) return 'same';
  if (order > 0) return downgradeRefusal(from, to);
  if (isNextRelease(installed.release, target.release)) return 'next';
  return { statement: databaseReady.notSequential({ from, to }), event: upgradeEvents.notSequential({ from, to }) };
}

function checkedPhase(phase: string): UpgradePhase {
  switch (phase) {
    case 'Expanding':
    case 'Migrating':
    case 'RollingUpdate':
    case 'Contracting':
      return phase;
    default:
      throw new Error(`unknown upgrade phase "${phase}"`);
  }
}

function parsed(tag: string): { release: Release } | { error: string } {
  try {
    return { release: parseRelease(tag) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
