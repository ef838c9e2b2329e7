// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { checkSize } from '../encoding/object-size.ts';
import { statusError } from '../messages/status-errors.ts';
import type { Write } from '../request/write.ts';

/** Rejects an object that a patch or defaults made larger than the limits of a request body. */
export function limitSize({ object, resource, isRemote, isLarge, isPatch }: Write): KubeObject {
  if (!isRemote) return object;
  const { managedFields } = object.metadata;
  if (Array.isArray(managedFields) && managedFields.length > maxManagers) throw tooManyManagers();
  // The size of other objects was checked when they were parsed.
  if (isLarge || isPatch || resource.custom) checkSize(object);
  return object;
}

/** Rejects what a patch made too large or deep before anything walks over it: walks are recursive. */
export function limitPatched(write: Write): KubeObject {
  return write.isPatch ? limitSize(write) : write.object;
}

/** Rejects an object that the defaults of its built-in kind made too large: each item of a list can get several. */
export function limitDefaulted(write: Write): KubeObject {
  return write.resource.custom ? write.object : limitSize(write);
}

/** Maximum number of entries in managedFields: each is compared with the others. */
const maxManagers = 1000;

function tooManyManagers(): Error {
  const message = `Request entity too large: limit is ${maxManagers} entries of managedFields`;
  return statusError(413, 'RequestEntityTooLarge', message);
}
