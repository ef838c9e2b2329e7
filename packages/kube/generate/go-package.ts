// SPDX-License-Identifier: Apache-2.0
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a Go struct, or an embedded struct. */
export interface GoField {
  /** Its JSON name; empty when it is inlined. */
  name: string;
  type: string;
  isOmittedWhenEmpty: boolean;
  /** Its protobuf number; NaN when it has none. */
  number: number;
}

/** The types of one Go package that are relevant on the wire. */
export interface GoPackage {
  structs: ReadonlyMap<string, readonly GoField[]>;
  /** Names of other types: `Protocol` is `string`. */
  aliases: ReadonlyMap<string, string>;
  /** Paths of imported packages by their local names. */
  imports: ReadonlyMap<string, string>;
}

/** Finds a package by its path below k8s.io: `api/core/v1`. */
export type GoPackages = (path: string) => GoPackage;

/** The packages of the modules in this folder; each is read on first use. */
export function goPackages(modules: string): GoPackages {
  const packages = new Map<string, GoPackage>();
  return (path) => {
    const known = packages.get(path) ?? read(modules, path);
    packages.set(path, known);
    return known;
  };
}

const structLines = /^type (\w+) struct \{\n(.*?)^\}/gms;
const fieldLine = /^\t(?:\w+ +)?(\S+) +`json:"([^",]*)([^"]*)"(?:[^`]* protobuf:"\w+,(\d+))?/gm;
const aliasLine = /^type (\w+) ((?:\[\]|map\[)?\w\S*)$/gm;
const importLine = /^\t(?:(\w+) )?"k8s\.io\/([^"]*?(\w+))"$/gm;

function read(modules: string, path: string): GoPackage {
  const [module = '', ...folders] = path.split('/');
  // Modules in a cache have a version behind their name.
  const files = globSync(join(modules, `${module}{,@*}`, ...folders, '*.go'));
  if (files.length === 0) throw new Error(`${modules}: Go package ${path} not found`);
  const declaring = files.filter((file) => !/generated[^/]*$|_test\.go$/.test(file));
  const source = declaring.map((file) => readFileSync(file, 'utf8')).join('\n');
  const matches = (line: RegExp) => source.matchAll(line).toArray();
  return {
    structs: new Map(matches(structLines).map(([, name = '', body = '']) => [name, fieldsIn(body)])),
    aliases: new Map(matches(aliasLine).map(([, name = '', type = '']) => [name, type])),
    imports: new Map(matches(importLine).map(([, alias, whole = '', last = '']) => [alias ?? last, whole])),
  };
}

function fieldsIn(body: string): GoField[] {
  return Array.from(body.matchAll(fieldLine), ([, type = '', name = '', options = '', number]) => {
    return { name, type, isOmittedWhenEmpty: options.includes('omitempty'), number: Number(number) };
  });
}
