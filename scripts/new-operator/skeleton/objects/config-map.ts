// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { namesOf } from '../api/names.ts';
import type { Specimen } from '../api/specimen.ts';

/** The ConfigMap with the text. */
export const configMap = (specimen: Specimen, text: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: namesOf(specimen).config },
  data: { text },
});
