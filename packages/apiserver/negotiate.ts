// SPDX-License-Identifier: Apache-2.0
import { refusal } from './refusal.ts';

/** One alternative of an Accept header: `application/json;as=Table;v=v1;g=meta.k8s.io`. */
export interface MediaType {
  readonly type: string;
  readonly as: string | undefined;
  readonly group: string | undefined;
  readonly version: string | undefined;
}

/** The alternatives of an Accept header that JSON can satisfy, in the caller's order; anything goes when there is no header. */
export function acceptedJson(header: string | undefined): MediaType[] {
  const accepted = (header ?? '*/*')
    .split(',')
    .map(parse)
    .filter(({ type }) => jsonTypes.has(type));
  if (accepted.length > 0) return accepted;
  throw refusal(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
}

const jsonTypes = new Set(['application/json', 'application/*', '*/*']);

function parse(alternative: string): MediaType {
  const [type = '', ...parameters] = alternative.split(';').map((part) => part.trim());
  const values = new Map(parameters.map((parameter) => splitOnce(parameter)));
  return { type, as: values.get('as'), group: values.get('g'), version: values.get('v') };
}

function splitOnce(parameter: string): [string, string] {
  const at = parameter.indexOf('=');
  return at < 0 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 1)];
}
