// SPDX-License-Identifier: Apache-2.0
import type { Ingress, IngressClass } from '@forge/kube/kinds/builtin.ts';
import type { WriteStep } from '../request/write.ts';
import { classAnnotation, isDefaultClass } from '../resources/ingress-class.ts';
import type { Store } from '../storage/store.ts';

/** Sets the class of a new Ingress that names none: the newest default class, if there is one. */
export const defaultIngressClass: WriteStep = ({ resource, subresource, object, before }, { store }) => {
  if (resource.name !== 'ingresses.networking.k8s.io' || subresource !== undefined || before !== undefined)
    return object;
  const { metadata, spec } = object as Ingress;
  if (spec?.ingressClassName !== undefined || metadata.annotations?.[classAnnotation] !== undefined) return object;
  const ingressClassName = defaultClassName(store);
  return ingressClassName === undefined ? object : ({ ...object, spec: { ...spec, ingressClassName } } as Ingress);
};

function defaultClassName(store: Store): string | undefined {
  const classes = Array.from(
    store.current.objects.withPrefix('ingressclasses.networking.k8s.io/'),
    ({ value }) => value as IngressClass,
  );
  // Classes are listed by name, which decides between those of the same second.
  const [newest] = classes.filter(isDefaultClass).toSorted((a, b) => created(b) - created(a));
  return newest?.metadata.name;
}

function created({ metadata }: IngressClass): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}
