// SPDX-License-Identifier: Apache-2.0
import type { ApiError } from '@forge/kube/errors/api-error.ts';
import { statusError } from './status-errors.ts';

/** Encoding of a response. */
export type Encoding = 'json' | 'yaml' | 'protobuf';

/** The media types of the encodings. */
export const mediaTypes: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

/** All encodings in order of preference, and those that need no schema. */
export const allEncodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
export const textEncodings: readonly Encoding[] = ['json', 'yaml'];

/** The alternative representations (`as=`) that an endpoint offers. */
export interface Offer {
  readonly apiVersion: string;
  readonly forms: readonly string[];
  /** The encodings of this representation; undefined for the object itself. */
  readonly encodings: (form: string | undefined) => readonly Encoding[];
  /** Whether events are streamed; not every encoding supports that. */
  readonly streams?: boolean;
}

/** The negotiated representation and encoding. */
export interface Accepted {
  /** Undefined for the object itself. */
  readonly form: string | undefined;
  readonly encoding: Encoding;
}

const plainJson: Accepted = { form: undefined, encoding: 'json' };

/**
 * Picks the first accepted representation that is offered; JSON without an Accept header. A header looks like
 * `application/json;as=Table;v=v1;g=meta.k8s.io`.
 */
export function accepted(header: string | undefined, offer: Offer): Accepted {
  if (header === undefined || isPlain.has(header)) return plainJson;
  const found = firstOffered(header, offer);
  if (found !== undefined) return found;
  const types = Object.values(mediaTypes);
  const named = offer.streams === true ? streamed : types;
  throw notAcceptable(`only the following media types are accepted: ${named.join(', ')}`);
}

/** The encoding of an existing response, such as an error; undefined when none is acceptable. */
export function acceptedEncoding(
  header: string,
  form: string | undefined,
  can: readonly Encoding[],
): Encoding | undefined {
  for (const clause of header.split(',').map(parse)) {
    const encoding = clause.as === form ? can.find((each) => covers(clause.type, each)) : undefined;
    if (encoding !== undefined) return encoding;
  }
  return undefined;
}

/** 406: no acceptable representation. */
export function notAcceptable(message: string, details?: object): ApiError {
  return statusError(406, 'NotAcceptable', message, details);
}

function firstOffered(header: string, { apiVersion, forms, encodings, streams }: Offer): Accepted | undefined {
  for (const { type, as, version, group } of header.split(',').map(parse)) {
    if (as !== undefined && !(forms.includes(as) && `${group}/${version}` === apiVersion)) continue;
    const can = encodings(as).filter((each) => streams !== true || each !== 'yaml');
    const encoding = can.find((each) => covers(type, each));
    if (encoding !== undefined) return { form: as, encoding };
  }
  return undefined;
}

const streamed = [`${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`];
const anyType = new Set(['application/*', '*/*']);
const isPlain = new Set([mediaTypes.json, ...anyType]);

function covers(type: string, encoding: Encoding): boolean {
  return type === mediaTypes[encoding] || anyType.has(type);
}

/** One media range of an Accept header. */
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
