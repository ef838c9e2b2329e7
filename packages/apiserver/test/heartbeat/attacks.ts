// SPDX-License-Identifier: Apache-2.0
import { applyAttacks } from './apply-attacks.ts';
import type { Attack } from './attack.ts';
import { customAttacks } from './custom-attacks.ts';
import { definitionAttacks } from './definition-attacks.ts';
import { headerAttacks } from './header-attacks.ts';
import { jsonAttacks } from './json-attacks.ts';
import { listAttacks } from './list-attacks.ts';
import { metadataAttacks } from './metadata-attacks.ts';
import { patchAttacks } from './patch-attacks.ts';
import { pipelineAttacks } from './pipeline-attacks.ts';
import { policyAttacks } from './policy-attacks.ts';
import { protobufAttacks } from './protobuf-attacks.ts';
import { reviewAttacks } from './review-attacks.ts';
import { selectorAttacks } from './selector-attacks.ts';
import { specAttacks } from './spec-attacks.ts';
import { yamlAttacks } from './yaml-attacks.ts';

/** All hostile requests. */
export const attacks: readonly Attack[] = [
  ...yamlAttacks,
  ...jsonAttacks,
  ...metadataAttacks,
  ...specAttacks,
  ...customAttacks,
  ...reviewAttacks,
  ...patchAttacks,
  ...applyAttacks,
  ...protobufAttacks,
  ...headerAttacks,
  ...pipelineAttacks,
  ...definitionAttacks,
  ...policyAttacks,
  ...selectorAttacks,
  ...listAttacks,
];
