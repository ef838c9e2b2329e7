// SPDX-License-Identifier: Apache-2.0
import type { AdmissionCase } from './admission-case.ts';
import { backingCases, textsCases } from './backing-cases.ts';
import { configurationCases } from './configuration-cases.ts';
import { exposureCases } from './exposure-cases.ts';
import { podsCases } from './pod-cases.ts';
import { rotationCases } from './rotation-cases.ts';
import { scaleCases } from './scale-cases.ts';

/** Every rule that can be checked on a Keystone alone. */
export const admissionCases: readonly AdmissionCase[] = [
  ...textsCases,
  ...backingCases,
  ...rotationCases,
  ...scaleCases,
  ...podsCases,
  ...configurationCases,
  ...exposureCases,
];
