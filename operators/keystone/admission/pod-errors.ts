// SPDX-License-Identifier: Apache-2.0
import { duplicate, invalidValue, required, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { LabelSelector, ResourceRequirements } from '@forge/kube/generated/types.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { defaults } from '../api/defaults.ts';
import type { Keystone } from '../api/keystone.ts';
import { selectorLabels } from '../api/names.ts';
import {
  expressionsForbidden,
  percentPattern,
  podCountMessage,
  quantityMessage,
  recreateMessage,
  selectorRequired,
  skewMessage,
} from '../api/pods.ts';
import { harakiriTooLong, sleepTooLong, spreadMessage } from '../api/spec.ts';
import { keepAliveMessage } from '../api/uwsgi.ts';

/** Errors of the API pods: their termination, their resources, where they run. */
export function podErrors(keystone: Keystone): FieldError[] {
  return [
    ...terminationErrors(keystone),
    ...uwsgiErrors(keystone),
    ...strategyErrors(keystone),
    ...resourceErrors(keystone.spec.resources ?? {}),
    ...spreadErrors(keystone),
  ];
}

function terminationErrors({ spec }: Keystone): FieldError[] {
  const { terminationGracePeriodSeconds: grace, preStopSleepSeconds: sleep } = { ...defaults, ...spec };
  return sleep >= grace ? [invalidValue('spec.preStopSleepSeconds', sleep, sleepTooLong(sleep, grace))] : [];
}

function uwsgiErrors({ spec }: Keystone): FieldError[] {
  const { uwsgi } = spec;
  if (uwsgi === undefined) return [];
  const { terminationGracePeriodSeconds: grace, preStopSleepSeconds: sleep } = { ...defaults, ...spec };
  const { harakiri, httpKeepAlive, httpKeepAliveTimeout: timeout } = uwsgi;
  const drain = grace - sleep;
  return [
    ...(timeout !== undefined && !httpKeepAlive
      ? [invalidValue('spec.uwsgi.httpKeepAliveTimeout', timeout, keepAliveMessage)]
      : []),
    // If there is no time to drain at all, another error says so.
    ...(harakiri !== undefined && drain > 0 && harakiri >= drain
      ? [invalidValue('spec.uwsgi.harakiri', harakiri, harakiriTooLong(harakiri, drain))]
      : []),
  ];
}

const isPodCount = (value: unknown) => typeof value !== 'string' || new RegExp(percentPattern).test(value);

function strategyErrors({ spec: { strategy } }: Keystone): FieldError[] {
  const { type, rollingUpdate } = strategy ?? {};
  if (rollingUpdate === undefined) return [];
  const field = 'spec.strategy.rollingUpdate';
  return [
    ...(type === 'Recreate' ? [invalidValue(field, rollingUpdate, recreateMessage)] : []),
    ...Object.entries(rollingUpdate)
      .filter(([, value]) => !isPodCount(value))
      .map(([name, value]) => invalidValue(`${field}.${name}`, value, podCountMessage)),
  ];
}

function resourceErrors({ requests = {}, limits = {} }: ResourceRequirements): FieldError[] {
  const invalid = Object.entries({ requests, limits }).flatMap(([list, quantities]) =>
    Object.entries(quantities)
      .filter(([, quantity]) => (nanosOf(String(quantity)) ?? -1n) < 0n)
      .map(([name, quantity]) => invalidValue(`spec.resources.${list}.${name}`, quantity, quantityMessage)),
  );
  const exceeding = Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    const [asked, most] = [nanosOf(String(request)), nanosOf(String(limit))];
    if (asked === undefined || most === undefined || asked <= most) return [];
    const message = `${name} request must not exceed limit (${limit})`;
    return [invalidValue(`spec.resources.requests.${name}`, request, message)];
  });
  return [...invalid, ...exceeding];
}

function spreadErrors(keystone: Keystone): FieldError[] {
  const constraints = keystone.spec.topologySpreadConstraints ?? [];
  const seen = new Set<string>();
  return constraints.flatMap(({ labelSelector, maxSkew, topologyKey, whenUnsatisfiable }, index) => {
    const field = `spec.topologySpreadConstraints[${index}]`;
    const identity = JSON.stringify([topologyKey, whenUnsatisfiable]);
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return [
      ...(isRepeated ? [duplicate(field, { topologyKey, whenUnsatisfiable })] : []),
      ...(maxSkew < 1 ? [invalidValue(`${field}.maxSkew`, maxSkew, skewMessage)] : []),
      ...selectorErrors(keystone, `${field}.labelSelector`, labelSelector),
    ];
  });
}

function selectorErrors(keystone: Keystone, field: string, selector: LabelSelector | undefined): FieldError[] {
  if (selector === undefined) return [required(field, selectorRequired)];
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...(jsonEqual(matchLabels, selectorLabels(keystone)) ? [] : [invalidValue(field, selector, spreadMessage)]),
    ...(matchExpressions.length > 0
      ? [invalidValue(`${field}.matchExpressions`, matchExpressions, expressionsForbidden)]
      : []),
  ];
}
