// SPDX-License-Identifier: Apache-2.0
import { refusal } from './refusal.ts';

/** Forms in which an answer can be told other than as it is, and the version of theirs that we speak. */
interface Offer {
  readonly apiVersion: string;
  readonly forms: readonly string[];
}

/**
 * The form a caller wants first of those that JSON can have; undefined for the answer as it is, which is also what a caller
 * gets that names nothing. An Accept header says `application/json;as=Table;v=v1;g=meta.k8s.io`.
 */
export function acceptedForm(header: string | undefined, { apiVersion, forms }: Offer): string | undefined {
  if (header === undefined || jsonTypes.has(header)) return undefined;
  for (const { type, as, version, group } of header.split(',').map(parse)) {
    if (!jsonTypes.has(type)) continue;
    if (as === undefined || (forms.includes(as) && `${group}/${version}` === apiVersion)) return as;
  }
  throw refusal(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
}

const jsonTypes = new Set(['application/json', 'application/*', '*/*']);

/** One alternative of an Accept header. */
interface MediaType {
  type: string;
  as: string | undefined;
  group: string | undefined;
  version: string | undefined;
}

function parse(alternative: string): MediaType {
  const [type = '', ...parameters] = alternative.split(';').map((part) => part.trim());
  const values = new Map(parameters.map((parameter) => splitOnce(parameter)));
  return { type, as: values.get('as'), group: values.get('g'), version: values.get('v') };
}

function splitOnce(parameter: string): [string, string] {
  const at = parameter.indexOf('=');
  return at < 0 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 1)];
}
