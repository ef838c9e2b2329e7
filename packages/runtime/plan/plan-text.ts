// SPDX-License-Identifier: Apache-2.0
import type { DiffOperation } from '@forge/kube/patch/json-diff.ts';
import type { Plan } from './plan-pass.ts';

const marks = { add: '+', replace: '~', remove: '-' } as const;

/** A plan as text: every write with its diff, the steps that are not ready, then later steps. */
export function planText({ writes, calls, outcomes, later }: Plan): string {
  const planned = writes.flatMap(({ verb, kind, namespace, name, step, diff }) => [
    `${verb} ${kind} ${namespace === undefined ? name : `${namespace}/${name}`} (${step})`,
    ...diff.map(line),
  ]);
  const called = calls.map(({ step, description, goesOn }) => {
    return `would call: ${description} (${step})${goesOn ? '; planned without its answer' : ''}`;
  });
  const unready = outcomes
    .filter(({ outcome }) => outcome !== 'ready')
    .map(
      ({ step, outcome, reason, message }) => `${step} ${outcome}${reason === '' ? '' : ` (${reason})`}: ${message}`,
    );
  const waiting = later.map(({ step, after, kinds }) => {
    const what = kinds.length === 0 ? '' : `: ${kinds.join(', ')}`;
    return `after ${after.join(' and ') || 'the next pass'}: ${step}${what}`;
  });
  return [...(planned.length === 0 ? ['nothing to write'] : planned), ...called, ...unready, ...waiting].join('\n');
}

function line(operation: DiffOperation): string {
  const path = operation.path === '' ? '.' : operation.path.slice(1).replaceAll('/', '.').replaceAll('~1', '/');
  const value = operation.op === 'remove' ? '' : `: ${JSON.stringify(operation.value)}`;
  return `  ${marks[operation.op]} ${path.replaceAll('~0', '~')}${value}`;
}
