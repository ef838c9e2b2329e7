// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { forbidden } from '../messages/status-errors.ts';
import type { WriteStep } from '../request/write.ts';

/** Rejects new custom resources of a terminating definition. */
export const definitionLifecycle: WriteStep = ({ resource, object, before }, { store }) => {
  if (before !== undefined || !resource.custom) return object;
  const stored = store.current.objects.get(`customresourcedefinitions.apiextensions.k8s.io//${resource.name}`);
  const { status } = (stored?.value ?? {}) as Partial<CustomResourceDefinition>;
  const isTerminating = status?.conditions?.some((each) => each.type === 'Terminating' && each.status === 'True');
  if (isTerminating !== true) return object;
  const why = 'create not allowed while custom resource definition is terminating';
  throw forbidden(resource.kind, object.metadata.name, why);
};
