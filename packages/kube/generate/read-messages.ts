// SPDX-License-Identifier: Apache-2.0
import type { Message, MessageField } from '../protobuf/messages.ts';
import { specialMessages } from '../protobuf/special-messages.ts';
import type { GoField, GoPackages } from './go-package.ts';
import { includedKinds, definitionKey } from './kinds.ts';

/** Messages that are sent but whose objects are not stored. */
const extraMessages: Readonly<Record<string, readonly string[]>> = {
  v1: ['Binding'],
  'autoscaling/v1': ['Scale'],
  'meta.k8s.io/v1': ['DeleteOptions'],
};

/** The protobuf messages of the included kinds and of all they contain, by name. */
export function readMessages(packages: GoPackages): Record<string, Message> {
  const found = new Map<string, Found>();
  for (const [apiVersion, kinds] of [...Object.entries(includedKinds), ...Object.entries(extraMessages)]) {
    for (const kind of kinds) collect({ path: packagePath(apiVersion), name: kind }, packages, found);
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, { message }]) => [name, message]));
}

/** A message, and the package that declares it. */
interface Found {
  path: string;
  message: Message;
}

/** A type by the package that declares it and its name there. */
interface GoType {
  path: string;
  name: string;
  many?: 'list' | 'map';
}

function collect({ path, name }: GoType, packages: GoPackages, found: Map<string, Found>): void {
  const key = definitionKey(path, name);
  const known = found.get(key);
  if (known?.path === path) return;
  const fields = packages(path)
    .structs.get(name)
    ?.filter(({ number }) => !Number.isNaN(number));
  if (fields === undefined) throw new Error(`${path} declares no struct ${name}`);
  const typed = fields.map((field) => ({ field, type: resolve(path, field.type.replace('*', ''), packages) }));
  const message = Object.fromEntries(typed.map(({ field, type }) => [field.number, fieldOf(field, type)]));
  if (known === undefined) found.set(key, { path, message });
  else if (JSON.stringify(known.message) !== JSON.stringify(message)) {
    throw new Error(`${name} of ${path} is not that of ${known.path}: list it as a namesake in kinds.ts`);
  }
  for (const { type } of typed) if (isMessage(type)) collect(type, packages, found);
}

function fieldOf({ name, type, isOmittedWhenEmpty }: GoField, { path, name: typeName, many }: GoType): MessageField {
  const isScalar = /^[a-z[]/.test(typeName) && many === undefined;
  return {
    ...(name !== '' && { name }),
    type: definitionKey(path, typeName),
    ...(many !== undefined && { many }),
    ...(isScalar && (type.startsWith('*') || !isOmittedWhenEmpty) && { zero: true }),
  };
}

/** The declared type that a Go type expression refers to. */
function resolve(path: string, type: string, packages: GoPackages): GoType {
  if (type === '[]byte') return { path, name: type };
  const [, many, rest] = /^(\[\]|map\[[\w.]+\])(.*)$/.exec(type) ?? [];
  if (rest !== undefined) return { ...resolve(path, rest, packages), many: many === '[]' ? 'list' : 'map' };
  const [name = '', qualifier] = type.split('.').toReversed();
  const home = qualifier === undefined ? path : packages(path).imports.get(qualifier);
  if (home === undefined) throw new Error(`${path} imports no ${qualifier}`);
  const alias = isSpecial(name) ? undefined : packages(home).aliases.get(name);
  return alias === undefined ? { path: home, name } : resolve(home, alias, packages);
}

function isMessage({ name }: GoType): boolean {
  return /^[A-Z]/.test(name) && !isSpecial(name);
}

/** Whether the JSON of the type is not an object of its fields; the decoder handles such types. */
function isSpecial(type: string): boolean {
  return Object.hasOwn(specialMessages, type);
}

/** Where the types of a group version are declared: `rbac.authorization.k8s.io/v1` in `api/rbac/v1`. */
function packagePath(apiVersion: string): string {
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed();
  const [name = ''] = group.split('.');
  if (name === 'meta') return `apimachinery/pkg/apis/meta/${version}`;
  if (name === 'apiextensions') return `apiextensions-apiserver/pkg/apis/apiextensions/${version}`;
  return `api/${name}/${version}`;
}
