// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { duplicateFields } from '../duplicate-fields.ts';
import { jsonSyntaxError } from '../json-syntax-error.ts';
import { badRequest, refusal, unsupportedMediaType } from '../refusal.ts';
import type { Resource } from '../resource.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const protobufHint =
  'this server speaks no protobuf: write a manifest (kubectl create ... --dry-run=client -o yaml) and apply it';
const objectTypes = ['application/json', 'application/yaml'];

/** An object as somebody sent it. */
export interface SentObject {
  object: KubeObject;
  /** Paths of fields that the text names more than once; the last one counts. */
  duplicates: readonly string[];
}

/** Reads a body as the object it must be; what it lacks is filled from the path, as kubectl's short forms expect. */
export async function decodeObject(
  body: unknown,
  contentType = 'application/json',
  { kind }: Resource,
): Promise<SentObject> {
  const unrecognized = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why}`);
  const value = await decode(body, contentType, objectTypes, (why, bytes) =>
    unrecognized(`couldn't get version/kind; json parse error: ${why} (${summary(bytes)})`),
  );
  if (!isRecord(value)) throw unrecognized(describe(value));
  const { kind: sentKind = kind.kind, apiVersion = kind.apiVersion, metadata = {}, ...rest } = value;
  if (!isRecord(metadata)) {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: json: cannot unmarshal ${describe(metadata)} into Go struct field ${kind.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  const object = { kind: sentKind, apiVersion, metadata, ...rest } as unknown as KubeObject;
  return { object, duplicates: body instanceof Uint8Array ? duplicateFields(Buffer.from(body).toString()) : [] };
}

/** Reads a body by its content type; a caller in this process hands over the JSON value itself. */
export function decodeBody(body: unknown, contentType: string, accepted: readonly string[]): Promise<unknown> {
  return decode(body, contentType, accepted, (why) => badRequest(why));
}

async function decode(
  body: unknown,
  contentType: string,
  accepted: readonly string[],
  broken: (why: string, bytes: Uint8Array) => Error,
): Promise<unknown> {
  const type = contentType.split(';', 1)[0]?.trim() ?? '';
  if (type === protobuf) throw unsupportedMediaType(accepted, protobufHint);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  if (!(body instanceof Uint8Array)) return body;
  const text = Buffer.from(body).toString();
  if (type.endsWith('yaml')) return parseYaml(text);
  try {
    return JSON.parse(text);
  } catch {
    throw broken(jsonSyntaxError(body) ?? 'not JSON', body);
  }
}

/** The beginning of a body, as far as it may be read. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, summaryLength)).toString(bytes[0] === openingBrace ? 'utf8' : 'hex');
  return bytes.length > summaryLength ? `${start} ...` : start;
}

const summaryLength = 30;
const openingBrace = 0x7b;

async function parseYaml(text: string): Promise<unknown> {
  // JSON is YAML, and most of what is sent as YAML is JSON: the parser is loaded only when it is not.
  try {
    return JSON.parse(text);
  } catch {
    const { parse } = await import('yaml');
    try {
      return parse(text, { maxAliasCount: 100 });
    } catch (error) {
      throw refusal(400, 'BadRequest', `error decoding YAML: ${(error as Error).message}`);
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'array' : typeof value;
}
