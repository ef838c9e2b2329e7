// SPDX-License-Identifier: Apache-2.0
import type { WriteStep } from '../request/write.ts';
import { restrictNode } from './node-restriction/restrict-node.ts';

/** Rejects writes of a node that are not about itself or its pods. */
export const nodeRestriction: WriteStep = (write, server) => {
  const { before, object, user } = write;
  const operation = before === undefined ? 'CREATE' : 'UPDATE';
  const { name: objectName = '' } = object.metadata as Partial<typeof object.metadata>;
  restrictNode(user, { ...write, operation, name: write.name === '' ? objectName : write.name }, server);
  return object;
};
