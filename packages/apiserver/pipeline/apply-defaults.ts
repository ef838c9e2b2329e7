// SPDX-License-Identifier: Apache-2.0
import { applyDefaults as applySchemaDefaults } from '@forge/kube/apply-defaults.ts';
import type { WriteStep } from './write.ts';

/** Fills in what the kind promises when the writer says nothing: by its schema, then by its own rules. */
export const applyDefaults: WriteStep = ({ resource: { kind, strategy }, object }) => {
  const defaulted = applySchemaDefaults(object, kind.schema);
  return strategy.default?.(defaulted) ?? defaulted;
};
