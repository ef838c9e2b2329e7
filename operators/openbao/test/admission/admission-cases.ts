// SPDX-License-Identifier: Apache-2.0
import type { AdmissionCase } from './admission-case.ts';
import { backupCases } from './backup-cases.ts';
import { clusterCases } from './cluster-cases.ts';
import { configCases } from './config-cases.ts';
import { extensionCases } from './extension-cases.ts';
import { sealCases } from './seal-cases.ts';

/** Every rule that an OpenBaoCluster can break. */
export const admissionCases: readonly AdmissionCase[] = [
  ...clusterCases,
  ...sealCases,
  ...configCases,
  ...extensionCases,
  ...backupCases,
];
