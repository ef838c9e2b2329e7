// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from '../admission/certificate-admission.ts';
import { defaultIngressClass } from '../admission/default-ingress-class.ts';
import { defaultTolerationSeconds } from '../admission/default-toleration-seconds.ts';
import { definitionLifecycle } from '../admission/definition-lifecycle.ts';
import { namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { namespaceSecurity } from '../admission/namespace-security.ts';
import { nodeRestriction } from '../admission/node-restriction.ts';
import { podSecurity } from '../admission/pod-security.ts';
import { singleDefaultPriority, podPriority } from '../admission/priority.ts';
import { serviceAccount } from '../admission/service-account.ts';
import { attributesOf } from '../matching/write-attributes.ts';
import { internalError, namespaceMismatch } from '../messages/status-errors.ts';
import { runPolicies } from '../policies/run-policies.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Write, WriteStep } from '../request/write.ts';
import { withScale } from '../resources/scale-of.ts';
import { runMutatingWebhooks } from '../webhooks/run-mutating-webhooks.ts';
import { runValidatingWebhooks } from '../webhooks/run-validating-webhooks.ts';
import { defaultByKind, defaultBySchema } from './apply-defaults.ts';
import { requireMetadata } from './check-identity.ts';
import { limitDefaulted, limitSize } from './limit-size.ts';
import { pruneUnknown } from './prune-unknown.ts';
import { readTyped } from './read-typed.ts';
import { restrictToSubresource } from './restrict-to-subresource.ts';
import { runSteps } from './run-steps.ts';

/** Built-in mutating admission plugins: each returns the object, perhaps changed, or throws. */
const plugins: readonly WriteStep[] = [
  definitionLifecycle,
  namespaceLifecycle,
  serviceAccount,
  nodeRestriction,
  podPriority,
  defaultTolerationSeconds,
  defaultIngressClass,
];

/** Mutating admission: the built-in plugins, then the mutating webhooks. */
export const mutatingAdmission: readonly WriteStep[] = [
  ...plugins,
  (write, server) => (server.webhooks.mutating().length === 0 ? write.object : runMutating(write, server)),
];

/** Validating admission of the final object: built-in plugins, then policies, then the validating webhooks. */
export const validatingAdmission: readonly WriteStep[] = [
  namespaceSecurity,
  podSecurity,
  singleDefaultPriority,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  (write, server) => (server.policies().length === 0 ? write.object : applyPolicies(write, server)),
  (write, server) => (server.webhooks.validating().length === 0 ? write.object : runValidating(write, server)),
];

function applyPolicies(write: Write, server: ServerContext): KubeObject | Promise<KubeObject> {
  const running = runPolicies(attributesOf(write, server), server);
  return running === undefined ? write.object : running.then(() => write.object);
}

async function runValidating(write: Write, server: ServerContext): Promise<KubeObject> {
  await runValidatingWebhooks(attributesOf(write, server), server);
  return write.object;
}

async function runMutating(write: Write, server: ServerContext): Promise<KubeObject> {
  const isScale = write.subresource === 'scale';
  let { object } = write;
  await runMutatingWebhooks(attributesOf(write, server), server, {
    async accept(patched) {
      object = isScale
        ? withScale(object, patched, write.resource)
        : await decodePatched({ ...write, object: patched }, server);
      return isScale ? patched : object;
    },
    async readmit(scale) {
      object = await runSteps(plugins, { ...write, object }, server);
      return isScale ? scale : object;
    },
  });
  if (object.metadata.namespace !== write.object.metadata.namespace) throw namespaceMismatch();
  return object;
}

/** The steps that decode an object patched by a webhook. */
const decodingSteps: readonly WriteStep[] = [
  requireMetadata,
  limitSize,
  pruneUnknown,
  defaultBySchema,
  limitSize,
  readTyped,
  defaultByKind,
  limitDefaulted,
];

/** Decodes an object patched by a webhook like a request body of any size, but drops unknown fields silently. */
async function decodePatched(write: Write, server: ServerContext): Promise<KubeObject> {
  const unchecked: Write = {
    ...write,
    applied: false,
    duplicates: [],
    fieldValidation: 'Ignore',
    isLarge: write.isRemote,
  };
  try {
    const object = await runSteps(decodingSteps, unchecked, server);
    // managedFields are already recorded.
    return await restrictToSubresource({ ...write, object, applied: true }, server);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw internalError(error.status.message?.replace(/^.* cannot be handled as a \w+: /, '') ?? error.message);
  }
}
