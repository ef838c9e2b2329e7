// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Write } from '../context/write.ts';
import { checkSize } from '../encoding/object-size.ts';
import { statusError } from '../request/status-errors.ts';

/** Refuses an object that a patch or defaults made larger than one that is sent may be. */
export function limitSize({ object, resource, isRemote, isLarge, isPatch }: Write): KubeObject {
  if (!isRemote) return object;
  const { managedFields } = object.metadata;
  if (Array.isArray(managedFields) && managedFields.length > maxManagers) throw tooManyManagers();
  // The size of any other object was checked when it was parsed.
  if (isLarge || isPatch || resource.custom) checkSize(object);
  return object;
}

/** The most entries of managedFields: each is compared with the others. */
const maxManagers = 1000;

function tooManyManagers(): Error {
  const message = `Request entity too large: limit is ${maxManagers} entries of managedFields`;
  return statusError(413, 'RequestEntityTooLarge', message);
}
