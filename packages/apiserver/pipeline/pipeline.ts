// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { preventEscalation } from '../admission/prevent-escalation.ts';
import type { ServerContext } from '../context/server-context.ts';
import type { Write, WriteStep } from '../context/write.ts';
import { mutatingAdmission, validatingAdmission } from './admission.ts';
import { defaultByKind, defaultBySchema } from './apply-defaults.ts';
import { checkIdentity } from './check-identity.ts';
import { complete } from './complete.ts';
import { pruneUnknown } from './prune-unknown.ts';
import { readTyped } from './read-typed.ts';
import { recordManager } from './record-manager.ts';
import { restrictToSubresource } from './restrict-to-subresource.ts';
import { runSteps } from './run-steps.ts';
import { validate } from './validate.ts';

/** What an object passes until it is read by its type, and its writer recorded. */
const decodingSteps: readonly WriteStep[] = [
  checkIdentity,
  pruneUnknown,
  defaultBySchema,
  readTyped,
  defaultByKind,
  restrictToSubresource,
  // What admission fills in has no manager.
  recordManager,
];

/** What every write of every kind passes, in this order, between decoding and the store. */
const steps: readonly WriteStep[] = [
  ...decodingSteps,
  ...mutatingAdmission,
  preventEscalation,
  complete,
  validate,
  ...validatingAdmission,
];

/** Brings the written object into the form in which it may be stored. */
export function prepareWrite(write: Write, server: ServerContext): KubeObject | Promise<KubeObject> {
  return runSteps(steps, write, server);
}

/** Reads an object that is answered and never stored. */
export function prepareReview(write: Write, server: ServerContext): KubeObject | Promise<KubeObject> {
  return runSteps(decodingSteps, write, server);
}
