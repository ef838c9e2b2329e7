// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isLarge, sizeOf } from '../request/large-body.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../request/status-errors.ts';
import type { Resource } from '../resources/resource.ts';
import { decodeProtobuf, type ExpectedMessage } from './decode-protobuf.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { mediaTypeOf } from './patch-types.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const textTypes = ['application/json', 'application/yaml'];
const objectTypes = [...textTypes, protobuf];

/** A decoded request body. */
export interface SentObject {
  object: KubeObject;
  /** Paths of duplicate fields; the last value wins. */
  duplicates: readonly string[];
}

/** Decodes a body as an object of the resource; missing kind and apiVersion are taken from the path. */
export async function decodeObject(
  body: unknown,
  contentType = 'application/json',
  { kind, custom }: Resource,
): Promise<SentObject> {
  const unrecognized = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why}`);
  const unhandled = (sent: string, version: string, why: string): Error =>
    badRequest(`${sent} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`);
  const { value, hasDuplicates } = await decode(body ?? bytesOf(body), contentType, custom ? textTypes : objectTypes, {
    kind: kind.kind,
    text: (why, bytes) => unrecognized(`${unread}${why} (${summary(bytes)})`),
    yaml: (why, bytes) => unrecognized(`${why} (${summary(bytes)})`),
    envelope: (why, bytes) => unrecognized(`${why} (${summary(bytes)})`),
    message: (why, sent) => unhandled(sent.kind, sent.apiVersion.split('/').at(-1) ?? '', why),
  });
  const misfit = headProblem(value);
  if (misfit !== undefined) throw unrecognized(`${unread}json: cannot unmarshal ${misfit} (${summary(bytesOf(body))})`);
  if (isLarge(sizeOf(body))) await nextTurn();
  const fields = (value ?? {}) as Record<string, unknown>;
  const { kind: sentKind = kind.kind, apiVersion = kind.apiVersion, metadata = {} } = fields;
  if (!isRecord(metadata)) {
    const into = `Go struct field ${kind.kind}.metadata of type v1.ObjectMeta`;
    throw unhandled(kind.kind, kind.version, `json: cannot unmarshal ${describe(metadata)} into ${into}`);
  }
  const object = { kind: sentKind, apiVersion, metadata, ...fields } as unknown as KubeObject;
  return { object, duplicates: hasDuplicates ? duplicateFields(bytesOf(body).toString()) : [] };
}

const unread = "couldn't get version/kind; json parse error: ";

/** Why kind and apiVersion cannot be read from a value; null counts as an empty object. */
function headProblem(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (!isRecord(value)) {
    const head = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
    return `${describe(value)} into Go value of type ${head}`;
  }
  const field = ['apiVersion', 'kind'].find(
    (name) => !['string', 'undefined'].includes(typeof (value[name] ?? undefined)),
  );
  return field && `${describe(value[field])} into Go struct field .${field} of type string`;
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(body instanceof Uint8Array ? body : body === undefined ? '' : JSON.stringify(body));
}

/** Prefixes of decoding errors by content type. */
const errorPrefixes: Readonly<Record<string, string>> = {
  'application/json': unread,
  'application/json-patch+json': 'error decoding patch: ',
  'application/merge-patch+json': 'error decoding patch: ',
};

/** Decodes a body by its content type; in-process callers pass the JSON value itself. */
export async function decodeBody(
  body: unknown,
  contentType = 'application/json',
  accepted = objectTypes,
): Promise<unknown> {
  const { value } = await decode(body, contentType, accepted, {
    text: (why) => badRequest(`${fieldOf(errorPrefixes, mediaTypeOf(contentType)) ?? ''}${why}`),
    yaml: (why) => badRequest(`error decoding YAML: error converting YAML to JSON: ${why}`),
    envelope: badRequest,
    message: badRequest,
  });
  return value;
}

/** Error messages for undecodable bodies. */
interface Expected extends ExpectedMessage {
  text(why: string, bytes: Uint8Array): Error;
  yaml(why: string, bytes: Uint8Array): Error;
}

async function decode(
  body: unknown,
  contentType: string,
  accepted: readonly string[],
  expected: Expected,
): Promise<ParsedJson> {
  const type = mediaTypeOf(contentType);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  if (!(body instanceof Uint8Array)) return { value: body, hasDuplicates: false };
  if (body.length > maxBodySize) throw tooLarge(maxBodySize);
  if (type === protobuf) return { value: await decodeProtobuf(body, expected), hasDuplicates: false };
  const isYaml = type.endsWith('yaml');
  try {
    return isYaml ? await parseYaml(body) : parseJson(body);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw expected[isYaml ? 'yaml' : 'text']((error as Error).message, body);
  }
}

/** Maximum size of a request body in bytes. */
export const maxBodySize = 3 * 1024 * 1024;

/** The beginning of a body, for error messages. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, summaryLength)).toString(bytes[0] === openingBrace ? 'utf8' : 'hex');
  return bytes.length > summaryLength ? `${start} ...` : start;
}

const summaryLength = 30;
const openingBrace = 0x7b;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
