// SPDX-License-Identifier: Apache-2.0
import { type FieldError, forbidden, invalidValue } from '@forge/kube/errors/field-error.ts';
import { textProblem } from '../encoding/text-problem.ts';
import { booleanOf, integerOf } from '../messages/query-values.ts';
import { badRequest, invalid } from '../messages/status-errors.ts';

type Query = Readonly<Record<string, string>>;

/** The kubelet's query parameters of a log request; throws when options are invalid. */
export function logParameters(query: Query, podName: string): string {
  const numbers = ['limitBytes', 'sinceSeconds', 'tailLines'].flatMap((name) =>
    query[name] === undefined ? [] : [[name, integerOf(query[name])] as const],
  );
  const { sinceTime } = query;
  const problem = sinceTime === undefined ? undefined : textProblem(sinceTime, { format: 'date-time' });
  if (problem !== undefined) throw badRequest(problem);
  const errors = [...logErrors(new Map(numbers), query)];
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, podName, errors);

  const parameters = new URLSearchParams(numbers.map(([name, value]): [string, string] => [name, String(value)]));
  for (const name of ['follow', 'previous', 'timestamps']) {
    if (booleanOf(query[name]) === true) parameters.set(name, 'true');
  }
  if (sinceTime !== undefined) parameters.set('sinceTime', sinceTime.replace(/\.\d+/, ''));
  parameters.sort();
  return parameters.toString();
}

function* logErrors(numbers: ReadonlyMap<string, number>, { sinceTime, stream }: Query): Generator<FieldError> {
  const [tailLines = 0, limitBytes = 1] = [numbers.get('tailLines'), numbers.get('limitBytes')];
  if (tailLines < 0) yield invalidValue('tailLines', tailLines, 'must be greater than or equal to 0');
  if (limitBytes < 1) yield invalidValue('limitBytes', limitBytes, 'must be greater than 0');
  const sinceSeconds = numbers.get('sinceSeconds');
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    yield forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    yield invalidValue('sinceSeconds', sinceSeconds, 'must be greater than 0');
  }
  if (stream !== undefined) yield forbidden('stream', 'may not be specified');
}
