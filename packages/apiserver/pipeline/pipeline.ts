// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { authorizeParams } from '../admission/authorize-params.ts';
import { preventEscalation } from '../admission/prevent-escalation.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Write, WriteStep } from '../request/write.ts';
import { mutatingAdmission, validatingAdmission } from './admission.ts';
import { defaultByKind, defaultBySchema } from './apply-defaults.ts';
import { checkIdentity } from './check-identity.ts';
import { limitDefaulted, limitPatched, limitSize } from './limit-size.ts';
import { pruneUnknown } from './prune-unknown.ts';
import { readTyped } from './read-typed.ts';
import { recordManager } from './record-manager.ts';
import { restrictToSubresource } from './restrict-to-subresource.ts';
import { runSteps } from './run-steps.ts';
import { setServerFields } from './set-server-fields.ts';
import { validate } from './validate.ts';

/** Steps up to decoding the object and recording its manager. */
const decodingSteps: readonly WriteStep[] = [
  checkIdentity,
  limitPatched,
  pruneUnknown,
  defaultBySchema,
  limitSize,
  readTyped,
  defaultByKind,
  limitDefaulted,
  restrictToSubresource,
  // Fields set by admission have no manager.
  recordManager,
];

/** All steps of a write, in order, between decoding and the store. */
const steps: readonly WriteStep[] = [
  ...decodingSteps,
  ...mutatingAdmission,
  preventEscalation,
  setServerFields,
  validate,
  authorizeParams,
  ...validatingAdmission,
];

/** Runs the pipeline; returns the object to store. */
export function prepareWrite(write: Write, server: ServerContext): KubeObject | Promise<KubeObject> {
  return runSteps(steps, write, server);
}

/** Decodes an object that is never stored. */
export function prepareReview(write: Write, server: ServerContext): KubeObject | Promise<KubeObject> {
  return runSteps(decodingSteps, write, server);
}
