// SPDX-License-Identifier: Apache-2.0
import type {
  Container,
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  Lifecycle,
  Probe,
  SleepAction,
  TCPSocketAction,
} from '@forge/kube/generated/types.ts';
import { portNameProblems } from '../../formats/names.ts';
import type { Inspection, Rule } from '../inspection.ts';
import { all, fields, given } from '../rule.ts';
import { count, required, oneOf, portNumber, text } from '../value-rules.ts';

const portName = text(portNameProblems);

/** A port by number or name. */
export const portOrName: Rule<number | string> = given((port, at) => {
  if (typeof port === 'number') portNumber(port, at);
  else portName(port, at);
});

interface Handler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
  sleep?: SleepAction;
}

const actions = {
  exec: fields<ExecAction>({ command: required() }),
  httpGet: fields<HTTPGetAction>({ path: required(), port: portOrName, scheme: oneOf('HTTP', 'HTTPS') }),
  tcpSocket: fields<TCPSocketAction>({ port: portOrName }),
  grpc: fields<GRPCAction>({ port: portNumber }),
  /** The limit depends on the pod. */
  sleep: () => {},
} as const;
const ways = Object.keys(actions) as (keyof Handler)[];

/** Exactly one handler. */
const handler: Rule<Handler> = given((handlers, at) => {
  let isHandled = false;
  for (const way of ways) {
    if (handlers[way] === undefined) continue;
    if (isHandled) at.forbidden('may not specify more than 1 handler type', way);
    else at.inside(way, handlers[way], actions[way] as Rule<unknown>);
    isHandled = true;
  }
  if (!isHandled) at.required('must specify a handler type');
});

const probe: Rule<Probe> = all<Probe>(
  handler,
  fields({
    initialDelaySeconds: count,
    timeoutSeconds: count,
    periodSeconds: count,
    successThreshold: count,
    failureThreshold: count,
  }),
);

/** Liveness and startup probes need a success threshold of 1. */
const endingProbe: Rule<Probe> = all(
  probe,
  given(({ successThreshold = 1 }, at) => {
    if (successThreshold !== 1) at.invalid(successThreshold, 'must be 1', 'successThreshold');
  }),
);

/** Validates the probes and hooks of a container. */
export const probes: Rule<Container> = fields({
  lifecycle: fields({ postStart: handler, preStop: handler }),
  livenessProbe: endingProbe,
  readinessProbe: probe,
  startupProbe: endingProbe,
});

/** A sleep hook must not exceed the grace period. */
export function checkSleep({ postStart, preStop }: Lifecycle, gracePeriod: number, at: Inspection): void {
  for (const [name, hook] of Object.entries({ postStart, preStop })) {
    const { seconds = 0 } = hook?.sleep ?? {};
    const hasOther = Object.keys(hook ?? {}).length > 1; // already reported
    if (hasOther || (seconds >= 0 && seconds <= gracePeriod)) continue;
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
    at.inside(name, hook, () => at.invalid(seconds, detail, 'sleep'));
  }
}

/** Init containers, except sidecars, cannot have probes and hooks. */
export function checkUnprobed(container: Container, at: Inspection): void {
  const detail = 'may not be set for init containers without restartPolicy=Always';
  for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[field] !== undefined) at.forbidden(detail, field);
  }
}
