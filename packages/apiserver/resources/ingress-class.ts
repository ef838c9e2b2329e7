// SPDX-License-Identifier: Apache-2.0
import type { IngressClass } from '@forge/kube/kinds/builtin.ts';

/** The deprecated annotation by which an Ingress names its class. */
export const classAnnotation = 'kubernetes.io/ingress.class';

/** Whether Ingresses without a class get this one. */
export function isDefaultClass({ metadata }: IngressClass): boolean {
  return metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
}
