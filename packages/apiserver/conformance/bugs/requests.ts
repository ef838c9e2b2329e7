// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs in parsing requests and the names in them. */
export const requestBugs: readonly SeededBug[] = [
  {
    name: 'patterns have JavaScript syntax',
    caughtBy: 'a pattern has classes by name',
    file: 'kube/schema/value-rules.ts',
    find: '!regex.test(text, meter)',
    replace: "!new RegExp(pattern, 'u').test(text)",
  },
  {
    name: 'patterns in alternatives are not checked',
    caughtBy: 'a pattern among alternatives is looked at too',
    file: 'kube/schema/structural.ts',
    find: '  if (pattern !== undefined) yield* checkPattern(pattern, `${field}.pattern`, budget);\n',
    replace: '',
  },
  {
    name: 'a selector matches inherited properties',
    caughtBy: 'selectors by labels that objects do not have',
    file: 'kube/selectors/selector.ts',
    find: 'fieldOf(labels, key)',
    replace: 'labels[key]',
  },
  {
    name: 'an applied key called __proto__ is lost',
    caughtBy: 'applied keys are kept and given back',
    file: 'kube/patch/merge-applied.ts',
    find: 'setField((copy ??= { ...live }), name, merged)',
    replace: '(copy ??= { ...live })[name] = merged',
  },
  {
    name: 'an inherited property name counts as a built-in secret type',
    caughtBy: 'what is looked up by a word is not found by these',
    file: 'apiserver/validation/kinds/config.ts',
    find: 'fieldOf(contents, type)?.(data, at)',
    replace: 'contents[type]?.(data, at)',
  },
  {
    name: 'items of lists in YAML repeat their kind',
    caughtBy: 'an object is told as application/yaml',
    file: 'apiserver/encoding/encode-object.ts',
    find: 'repeatsKind ? item : withoutKind(item)',
    replace: 'item',
  },
  {
    name: 'protobuf events have no length prefix',
    caughtBy: 'a watch is told in frames of protobuf, and not in YAML',
    file: 'kube/protobuf/encode-envelope.ts',
    find: 'return Buffer.concat([length, event]);',
    replace: 'return event;',
  },
  {
    name: 'errors are always JSON',
    caughtBy: 'an object is told as application/vnd.kubernetes.protobuf',
    file: 'apiserver/handler/encode-response.ts',
    find: 'if (encoding !== undefined) return',
    replace: 'if (encoding !== undefined && response.status < 400) return',
  },
  {
    name: 'custom resources are protobuf',
    caughtBy: 'custom resources are no protobuf',
    file: 'apiserver/verbs/read.ts',
    find: "form === 'Table' || (form === undefined && resource.custom)",
    replace: "form === 'Table'",
  },
  {
    name: 'a trailing slash is part of the path',
    caughtBy: 'a slash at the end changes nothing where things are found by their path',
    file: 'apiserver/messages/request-info.ts',
    find: "if (parts.length > 4 && parts.at(-1) === '') parts.pop();",
    replace: '',
  },
  {
    name: 'unknown health checks exist',
    caughtBy: 'health can be asked check by check',
    file: 'apiserver/handler/health.ts',
    find: 'Object.hasOwn(checks, check) ?',
    replace: 'true ?',
  },
];
