// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

const rules = 'apiserver/validation/pods/ephemeral-rules.ts';

/** Bugs of ephemeral containers. */
export const ephemeralContainersBugs: readonly SeededBug[] = [
  {
    name: 'ephemeral containers have no defaults',
    caughtBy: 'an ephemeral container is added with defaults, and read back',
    file: 'apiserver/registry/defaults/default-pod-spec.ts',
    find: 'ephemeralContainers: eachItem(container),',
    replace: '',
  },
  {
    name: 'the subresource of ephemeral containers changes the whole pod',
    caughtBy: 'an update of ephemeral containers changes nothing else',
    file: 'apiserver/pipeline/set-server-fields.ts',
    find: "if (subresource === 'ephemeralcontainers') return withEphemeralContainers(object as Pod, before as Pod);",
    replace: '',
  },
  {
    name: 'an ephemeral container may be removed',
    caughtBy: 'an ephemeral container is neither removed nor changed',
    file: rules,
    find: "if (kept === undefined) at.forbidden(`${what} removed\\n`, 'ephemeralContainers');",
    replace: 'if (kept === undefined) continue;',
  },
  {
    name: 'the target of an ephemeral container need not exist',
    caughtBy: 'an ephemeral container has a name of its own, and an existing target',
    file: rules,
    find: "at.notFound(target, 'targetContainerName')",
    replace: 'names.add(target)',
  },
  {
    name: 'an ephemeral container may mount a subPath',
    caughtBy: 'an ephemeral container has no ports, probes, hooks, resources or subPaths',
    file: rules,
    find: "at.inside('volumeMounts', container.volumeMounts, wholeVolumes);",
    replace: '',
  },
  {
    name: 'pod security ignores ephemeral containers',
    caughtBy: 'pod security applies to ephemeral containers',
    file: 'apiserver/admission/pod-security.ts',
    find: "subresource === undefined || subresource === 'ephemeralcontainers'",
    replace: 'subresource === undefined',
  },
];
