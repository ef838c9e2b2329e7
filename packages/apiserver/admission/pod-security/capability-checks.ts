// SPDX-License-Identifier: Apache-2.0
import {
  always,
  containerFindings,
  listed,
  quoted,
  unlessWindows,
  type CheckedPod,
  type PodCheck,
  type Violation,
} from './pod-check.ts';

const defaultCapabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** No capabilities beyond the default ones. */
export const capabilitiesBaseline: PodCheck = always((pod) => {
  const detail = addedBeyond(pod, defaultCapabilities);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
});

/** All capabilities dropped; only NET_BIND_SERVICE may be added. */
export const capabilitiesRestricted: PodCheck = {
  versions: [
    [22, unrestricted],
    [25, unlessWindows(unrestricted)],
  ],
  replaces: capabilitiesBaseline,
};

function unrestricted(pod: CheckedPod): Violation | undefined {
  const { who } = containerFindings(pod, ({ securityContext }) =>
    securityContext?.capabilities?.drop?.includes('ALL') === true ? [] : ['kept'],
  );
  const kept =
    who.length === 0 ? [] : [`${listed('container', who)} must set securityContext.capabilities.drop=["ALL"]`];
  const details = [...kept, addedBeyond(pod, ['NET_BIND_SERVICE']) ?? []].flat();
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

function addedBeyond(pod: CheckedPod, allowed: readonly string[]): string | undefined {
  const { who, values } = containerFindings(pod, ({ securityContext }) =>
    (securityContext?.capabilities?.add ?? []).filter((each) => !allowed.includes(each)),
  );
  if (who.length === 0) return undefined;
  return `${listed('container', who)} must not include ${quoted(values)} in securityContext.capabilities.add`;
}
