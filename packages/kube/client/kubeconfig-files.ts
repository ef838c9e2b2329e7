// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../objects/json.ts';
import type { ReadFile } from './connection.ts';
import { kubeconfigEntry, readable, type KubeconfigEntry } from './kubeconfig-entry.ts';

/** The content of one or several kubeconfigs. */
export interface KubeconfigFiles {
  currentContext: string;
  find(section: 'context' | 'cluster' | 'user', name: string | undefined): KubeconfigEntry | undefined;
}

/** Merges kubeconfigs as kubectl does: the first entry of each name applies, and missing files are ignored. */
export async function kubeconfigFiles(paths: readonly string[], readFile: ReadFile): Promise<KubeconfigFiles> {
  const files: { path: string; config: JsonObject }[] = [];
  for (const path of paths) {
    const text = await readable(`kubeconfig ${path}`, path, readFile).catch((error: Error) => {
      if (paths.length > 1 && isMissing(error.cause)) return undefined;
      throw error;
    });
    if (text !== undefined) files.push({ path, config: await parsed(path, text) });
  }
  if (files.length === 0) throw new Error(`none of the kubeconfigs ${paths.join(', ')} exists`);
  const currents = files.map(({ config }) => config['current-context']);
  return {
    currentContext: currents.find((name): name is string => typeof name === 'string' && name !== '') ?? '',
    find(section, name) {
      for (const { path, config } of files) {
        const fields = named(path, config, section, name);
        if (fields !== undefined) return kubeconfigEntry(path, fields, readFile);
      }
      return undefined;
    },
  };
}

function named(path: string, config: JsonObject, section: string, name: string | undefined): JsonObject | undefined {
  const list = config[`${section}s`] ?? [];
  if (!Array.isArray(list)) throw new Error(`kubeconfig ${path}: ${section}s is not a list; correct it`);
  const found = list.find((each) => isObject(each) && each['name'] === name);
  if (found === undefined) return undefined;
  const fields = (found as JsonObject)[section] ?? {};
  if (isObject(fields)) return fields;
  throw new Error(`kubeconfig ${path}: ${section} ${JSON.stringify(name)} has no fields; correct it`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * The parsed text; the YAML parser is loaded only when it is not JSON. Errors do not quote it: it may contain a token.
 */
async function parsed(path: string, text: string): Promise<JsonObject> {
  const content = text.trimStart().startsWith('{') ? parsedJson(path, text) : await parsedYaml(path, text);
  if (isObject(content)) return content;
  throw new Error(`kubeconfig ${path} is not a kubeconfig; correct it, or create a new one with kubectl config`);
}

function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`kubeconfig ${path} is not valid JSON; correct it, or create a new one with kubectl config`);
  }
}

async function parsedYaml(path: string, text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document.toJS() ?? {};
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
  throw new Error(
    `kubeconfig ${path} is not valid YAML at line ${line}, column ${col}; correct it, or create a new one with kubectl config`,
  );
}
