// SPDX-License-Identifier: Apache-2.0
import { toolbox, type Toolbox } from '../../host/toolbox.ts';

/** Tools whose nsenter enters nothing: what it was to start, it starts where it is. */
export const noNamespaces: Toolbox = {
  ...toolbox('/'),
  nsenter: ['sh', '-c', 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"', 'nsenter'],
};
