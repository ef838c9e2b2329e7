// SPDX-License-Identifier: Apache-2.0
import { capabilitiesBaseline, capabilitiesRestricted } from './capability-checks.ts';
import { privileged, privilegeEscalation, procMountBaseline, procMountRestricted } from './container-checks.ts';
import { hostNamespaces, hostPorts, hostProcess, probeHosts } from './host-checks.ts';
import { seLinuxOptions, sysctls } from './kernel-checks.ts';
import type { CheckedPod, FindViolation, PodCheck, Violation } from './pod-check.ts';
import type { LevelVersion } from './policy.ts';
import { appArmorProfile, seccompBaseline, seccompRestricted } from './profile-checks.ts';
import { runAsNonRoot, runAsUser } from './user-checks.ts';
import { hostPathVolumes, restrictedVolumes } from './volume-checks.ts';

/** In the order in which violations are reported. */
const baseline: readonly PodCheck[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  probeHosts,
  privileged,
  procMountBaseline,
  seLinuxOptions,
  seccompBaseline,
  sysctls,
  hostProcess,
];

const restricted: readonly PodCheck[] = [
  privilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
];

/** Violations of a level at a version. */
export function violationsOf(pod: CheckedPod, { level, version }: LevelVersion): Violation[] {
  const own = level === 'restricted' ? restricted.filter((check) => findIn(check, version) !== undefined) : [];
  const replaced = new Set(own.map(({ replaces }) => replaces));
  const common = level === 'privileged' ? [] : baseline.filter((check) => !replaced.has(check));
  return [...common, ...own].flatMap((check) => findIn(check, version)?.(pod) ?? []);
}

function findIn({ versions }: PodCheck, version: number): FindViolation | undefined {
  return versions.findLast(([since]) => since <= version)?.[1];
}
