// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import type { ServerContext } from '../server-context.ts';
import { admit } from './admission.ts';
import { defaultByKind, defaultBySchema } from './apply-defaults.ts';
import { checkIdentity } from './check-identity.ts';
import { complete } from './complete.ts';
import { isolate } from './isolate.ts';
import { pruneUnknown } from './prune-unknown.ts';
import { readTyped } from './read-typed.ts';
import { recordManager } from './record-manager.ts';
import { validate } from './validate.ts';
import type { Write, WriteStep } from './write.ts';

/** What every write of every kind passes, in this order, between decoding and the store. */
const steps: readonly WriteStep[] = [
  checkIdentity,
  pruneUnknown,
  defaultBySchema,
  readTyped,
  defaultByKind,
  isolate,
  // What admission fills in has no manager.
  recordManager,
  admit,
  complete,
  validate,
];

/** Brings the written object into the form in which it may be stored. */
export async function prepareWrite(write: Write, server: ServerContext): Promise<KubeObject> {
  let current = write;
  for (const step of steps) {
    const given = step(current, server);
    const object = given instanceof Promise ? await given : given;
    if (object !== current.object) current = { ...current, object };
  }
  return current.object;
}
