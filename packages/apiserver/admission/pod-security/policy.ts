// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';

/** Pod Security levels, from least to most restrictive. */
const levels = ['privileged', 'baseline', 'restricted'] as const;

type Level = (typeof levels)[number];

/** A level at a minor version of Kubernetes; Infinity is the latest. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number;
}

/** The Pod Security policy of a namespace. */
interface Policy {
  /** Violating pods are rejected. */
  readonly enforce: LevelVersion;
  /** Violations cause warnings. */
  readonly warn: LevelVersion;
  /** Errors in the labels; an invalid level counts as restricted. */
  readonly errors: readonly FieldError[];
}

const prefix = 'pod-security.kubernetes.io/';
const knownLevel = `must be one of ${levels.join(', ')}`;

const privilegedLatest: LevelVersion = { level: 'privileged', version: Infinity };
const unrestricted: Policy = { enforce: privilegedLatest, warn: privilegedLatest, errors: [] };

/** Reads the policy from a namespace's labels. */
export function policyOf({ labels = {} }: Pick<ObjectMeta, 'labels'>): Policy {
  // Most namespaces have no such labels.
  if (!Object.keys(labels).some((label) => label.startsWith(prefix))) return unrestricted;
  const errors: FieldError[] = [];
  const read = <T>(name: string, parse: (value: string) => T | undefined, rule: string): T | undefined => {
    const value = labels[prefix + name];
    const parsed = value === undefined ? undefined : parse(value);
    if (value !== undefined && parsed === undefined) {
      errors.push(invalidValue(`metadata.labels[${prefix}${name}]`, value, rule));
    }
    return parsed;
  };
  const level = (mode: string) => read(mode, parseLevel, knownLevel);
  const version = (mode: string) => read(`${mode}-version`, parseVersion, 'must be "latest" or "v1.x"');

  const isSet = (name: string): boolean => labels[prefix + name] !== undefined;

  const enforced = level('enforce');
  const enforcedVersion = version('enforce') ?? Infinity;
  // There is no audit log, but its labels are validated.
  level('audit');
  version('audit');
  const warned = level('warn');
  const warnedVersion = version('warn');
  // The warn level defaults to the enforce level.
  const inherited = isSet('warn') ? undefined : enforced;
  const inheritedVersion = isSet('warn') || isSet('warn-version') ? Infinity : enforcedVersion;
  return {
    enforce: { level: enforced ?? (isSet('enforce') ? 'restricted' : 'privileged'), version: enforcedVersion },
    warn: { level: warned ?? inherited ?? 'privileged', version: warnedVersion ?? inheritedVersion },
    errors,
  };
}

/** `restricted:latest`, `baseline:v1.30`. */
export function nameOf({ level, version }: LevelVersion): string {
  return `${level}:${version === Infinity ? 'latest' : `v1.${version}`}`;
}

/** Whether the first level is stricter than the second. */
export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

function parseVersion(text: string): number | undefined {
  if (text === 'latest') return Infinity;
  const [, minor] = /^v1\.(\d|[1-9]\d*)$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
