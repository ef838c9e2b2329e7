// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isLarge } from '../messages/large-body.ts';
import type { ServerRequest, User } from '../messages/server-request.ts';
import { badRequest, tooLarge, unsupportedMediaType } from '../messages/status-errors.ts';
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
export interface DecodedBody {
  readonly value: unknown;
  /** Bytes of the body from the wire, or of its JSON when that is more: aliases make a YAML text grow. */
  readonly size: number;
}

/** An object in a request body. */
export interface SentObject extends Pick<DecodedBody, 'size'> {
  object: KubeObject;
  /** Paths of duplicate fields; the last value wins. */
  duplicates: readonly string[];
}

/** A request with a body; the user's name says whose YAML waits for whose. */
type SentRequest = Pick<ServerRequest, 'body' | 'headers'> & { readonly user: Pick<User, 'name'> };

/** Decodes a body as an object of the resource; missing kind and apiVersion are taken from the path. */
export async function decodeObject(request: SentRequest, { kind, custom }: Resource): Promise<SentObject> {
  const { body } = request;
  const unrecognized = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why}`);
  const unhandled = (sent: string, version: string, why: string): Error =>
    badRequest(`${sent} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`);
  const { value, size, hasDuplicates } = await decode(
    { ...request, body: body ?? bytesOf(body) },
    custom ? textTypes : objectTypes,
    {
      kind: kind.kind,
      text: (why, bytes) => unrecognized(`${unread}${why} (${summary(bytes)})`),
      yaml: (why, bytes) => unrecognized(`${why} (${summary(bytes)})`),
      envelope: (why, bytes) => unrecognized(`${why} (${summary(bytes)})`),
      message: (why, sent) => unhandled(sent.kind, sent.apiVersion.split('/').at(-1) ?? '', why),
    },
  );
  const misfit = headProblem(value);
  if (misfit !== undefined) throw unrecognized(`${unread}json: cannot unmarshal ${misfit} (${summary(bytesOf(body))})`);
  if (isLarge(size)) await nextTurn();
  const fields = (value ?? {}) as Record<string, unknown>;
  const { kind: sentKind = kind.kind, apiVersion = kind.apiVersion, metadata = {} } = fields;
  if (!isRecord(metadata)) {
    const into = `Go struct field ${kind.kind}.metadata of type v1.ObjectMeta`;
    throw unhandled(kind.kind, kind.version, `json: cannot unmarshal ${describe(metadata)} into ${into}`);
  }
  const object = { kind: sentKind, apiVersion, metadata, ...fields } as unknown as KubeObject;
  return { object, size, duplicates: hasDuplicates ? duplicateFields(bytesOf(body).toString()) : [] };
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
export async function decodeBody(request: SentRequest, accepted = objectTypes): Promise<DecodedBody> {
  return decode(request, accepted, {
    text: (why) => badRequest(`${fieldOf(errorPrefixes, typeOf(request)) ?? ''}${why}`),
    yaml: (why) => badRequest(`error decoding YAML: error converting YAML to JSON: ${why}`),
    envelope: badRequest,
    message: badRequest,
  });
}

/** Error messages for undecodable bodies. */
interface Expected extends ExpectedMessage {
  text(why: string, bytes: Uint8Array): Error;
  yaml(why: string, bytes: Uint8Array): Error;
}

function typeOf({ headers }: SentRequest): string {
  return mediaTypeOf(headers['content-type'] ?? 'application/json');
}

async function decode(
  request: SentRequest,
  accepted: readonly string[],
  expected: Expected,
): Promise<ParsedJson & DecodedBody> {
  const { body, user } = request;
  const type = typeOf(request);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  if (!(body instanceof Uint8Array)) return { value: body, size: 0, hasDuplicates: false };
  if (body.length > maxBodySize) throw tooLarge(maxBodySize);
  const size = body.length;
  if (type === protobuf) return { value: await decodeProtobuf(body, expected), size, hasDuplicates: false };
  const isYaml = type.endsWith('yaml');
  try {
    return { size, ...(isYaml ? await parseYaml(body, user.name) : parseJson(body)) };
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
