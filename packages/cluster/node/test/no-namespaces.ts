// SPDX-License-Identifier: Apache-2.0
import { toolbox, type Toolbox } from '../../host/toolbox.ts';

/** Tools whose nsenter runs commands in the current namespaces. */
export const noNamespaces: Toolbox = {
  ...toolbox('/'),
  nsenter: ['sh', '-c', 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"', 'nsenter'],
};
