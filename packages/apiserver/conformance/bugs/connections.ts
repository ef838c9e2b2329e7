// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs of logs, commands and ports. */
export const connectionsBugs: readonly SeededBug[] = [
  {
    name: 'get is enough for exec',
    caughtBy: 'a connection by GET needs the right to create one',
    file: 'apiserver/subresources/connect-pod.ts',
    find: '  checkMayCreate(server, request);\n',
    replace: '',
  },
  {
    name: 'an unknown container name is accepted',
    caughtBy: 'the container of a connection must be one of the pod’s',
    file: 'apiserver/subresources/pod-container.ts',
    find: 'if (names.includes(named)) return named;',
    replace: "if (named !== '') return named;",
  },
  {
    name: 'the first of several containers is taken',
    caughtBy: 'the container of a connection must be one of the pod’s',
    file: 'apiserver/subresources/pod-container.ts',
    find: 'only !== undefined && others.length === 0',
    replace: 'only !== undefined && others.length >= 0',
  },
  {
    name: 'invalid log options are forwarded',
    caughtBy: 'impossible wishes about a log are refused',
    file: 'apiserver/subresources/log-parameters.ts',
    find: 'if (errors.length > 0) throw',
    replace: 'if (errors.length > 9) throw',
  },
  {
    name: 'the default kubelet port is always used',
    caughtBy: 'a node that does not answer is told by its address',
    file: 'apiserver/subresources/kubelet-address.ts',
    find: 'daemonEndpoints?.kubeletEndpoint?.Port ?? usualPort',
    replace: 'usualPort',
  },
];
