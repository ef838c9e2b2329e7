// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { badRequest, refusal, unsupportedMediaType } from '../refusal.ts';
import type { Resource } from '../resource.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const protobufHint =
  'this server speaks no protobuf: write a manifest (kubectl create ... --dry-run=client -o yaml) and apply it';
const objectTypes = ['application/json', 'application/yaml'];

/** Reads a body as the object it must be; what it lacks is filled from the path, as kubectl's short forms expect. */
export async function decodeObject(
  body: unknown,
  contentType: string | undefined,
  { kind }: Resource,
): Promise<KubeObject> {
  const value = await decodeBody(body, contentType ?? 'application/json', objectTypes);
  if (!isRecord(value))
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${describe(value)}`);
  const { kind: sentKind = kind.kind, apiVersion = kind.apiVersion, metadata = {}, ...rest } = value;
  if (!isRecord(metadata)) {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: json: cannot unmarshal ${describe(metadata)} into Go struct field ${kind.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  return { kind: sentKind, apiVersion, metadata, ...rest } as unknown as KubeObject;
}

/** Reads a body by its content type; a caller in this process hands over the JSON value itself. */
export async function decodeBody(body: unknown, contentType: string, accepted: readonly string[]): Promise<unknown> {
  const type = contentType.split(';', 1)[0]?.trim() ?? '';
  if (type === protobuf) throw unsupportedMediaType(accepted, protobufHint);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  if (!(body instanceof Uint8Array)) return body;
  const text = Buffer.from(body).toString();
  return type.endsWith('yaml') ? parseYaml(text) : parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

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
